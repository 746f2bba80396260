import type { Dialect } from './dialect.ts'
import type { ToolTable } from './dialect-tools.ts'
import { PLUGIN } from './plugin-shapes.ts'

/**
 * OpenCode 1.18.33 and Kilo 7.7.9, which is made from it, as they were seen to behave with our plugin. The payloads are
 * those of the plugin (`src/adapters/client/plugins/opencode.ts`); the names of its events are the agent's where it has one.
 */
export function openCodeDialect(id: string, title: string, tools: ToolTable = {}): Dialect {
  return {
    id,
    title,
    eventKey: 'hook_event_name',
    tools: { ...OPENCODE_TOOLS, ...tools },
    notices: 'stderr',
    deliversTwice: true,
    events: {
      'tool.execute.before': {
        kind: 'PreToolUse',
        says: { deny: PLUGIN.deny, rewrite: PLUGIN.rewrite, context: PLUGIN.context },
      },
      'tool.execute.after': { kind: 'PostToolUse', says: { context: PLUGIN.context, output: PLUGIN.output } },
      'chat.message': { kind: 'UserPromptSubmit', says: { deny: PLUGIN.deny, context: PLUGIN.context } },
      'session.start': { kind: 'SessionStart', says: { context: PLUGIN.context } },
      'session.idle': { kind: 'Stop' },
      'subagent.start': { kind: 'SubagentStart', says: { context: PLUGIN.context } },
      'subagent.idle': { kind: 'SubagentStop' },
    },
    limits: [
      {
        kind: 'open',
        says: 'it goes on without plugins that it could not load, and with `--pure` without any; `holdpoint doctor` says whether it has loaded ours.',
      },
      {
        kind: 'prompt',
        says: '`ask` becomes a deny, because it answers every question of a plugin with no by itself; the reason for a stopped prompt is only in its log.',
      },
      { kind: 'stop', says: 'the end of a turn is only seen: a gate cannot hold the agent.' },
    ],
  }
}

/** The tools that were seen, and those its documentation names. */
const FILE = { filePath: 'file_path' }
const OPENCODE_TOOLS: ToolTable = {
  bash: { name: 'Bash' },
  read: { name: 'Read', fields: FILE },
  write: { name: 'Write', fields: FILE },
  edit: {
    name: 'Edit',
    fields: { ...FILE, oldString: 'old_string', newString: 'new_string', replaceAll: 'replace_all' },
  },
  multiedit: { name: 'MultiEdit', fields: FILE },
  patch: { name: 'apply_patch', fields: { patchText: 'command' } },
  apply_patch: { name: 'apply_patch', fields: { patchText: 'command' } },
  glob: { name: 'Glob' },
  grep: { name: 'Grep' },
  list: { name: 'LS' },
  webfetch: { name: 'WebFetch' },
  websearch: { name: 'WebSearch' },
  task: { name: 'Agent', background: 'never' },
  skill: { name: 'Skill', fields: { name: 'skill' } },
  todowrite: { name: 'TodoWrite' },
}
