import type { EventExample, Guard } from '../../../core/guard.ts'
import type { JsonObject } from '../../../core/json.ts'
import { lostHooks } from './installed.ts'

/**
 * A program can change settings without a call that says so, and some changes an agent takes over without asking
 * anybody. While a hook of this session still runs, nothing more is done with hooks that are not the installed ones.
 */
export const installedHooks: Guard = {
  id: 'self/installed-hooks',
  title: 'Working without the installed hooks',
  why: 'The hooks that check this agent were changed or switched off, so its next calls might run without a check.',
  instead:
    'stop and tell the user. The user restores the file or runs holdpoint init in a terminal; holdpoint doctor shows what is wrong.',
  on: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest'],
  match: '*',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      call([{ ...USER(), wrong: 'is gone' }]),
      call([{ ...USER(), wrong: 'no longer has the hook that was installed for PreToolUse' }]),
      call([{ ...LOCAL(), wrong: 'is gone' }]),
      call([
        { ...USER(), wrong: 'is gone' },
        { ...LOCAL(), wrong: 'is gone' },
      ]),
      call([USER()], { switchedOff: [OFF('claude-code')] }),
      call([{ ...MANAGED(), wrong: 'is gone' }], { switchedOff: [OFF('claude-code')] }),
      call([USER()], { switchedOff: [OFF('claude-code')] }, { prompt: 'go on' }, 'UserPromptSubmit'),
      call([{ ...USER(), wrong: 'is gone' }], {}, { source: 'resume' }, 'SessionStart'),
      call([{ ...USER(), wrong: 'is gone' }], {}, { transcriptPath: '/home/dev/.claude/projects/p/1.jsonl' }),
      call([{ ...USER(), wrong: 'is gone' }], {}, { tool: { name: 'Read', input: { file_path: 'a' } } }),
    ],
    passes: [
      call([USER()]),
      call([]),
      call([MANAGED(), { ...USER(), wrong: 'is gone' }], { switchedOff: [OFF('claude-code')] }),
      call([USER(), { ...LOCAL(), wrong: 'is gone' }]),
      call([{ ...USER(), wrong: 'is gone' }, LOCAL()]),
      call([{ ...USER(), host: 'codex', file: '/home/dev/.codex/hooks.json', wrong: 'is gone' }]),
      call([{ ...LOCAL(), file: '/srv/other/.claude/settings.local.json', wrong: 'is gone' }]),
      call([USER()], { switchedOff: [OFF('codex')] }),
      call(
        [{ ...USER(), wrong: 'is gone' }],
        {},
        { transcriptPath: '/home/dev/.claude-work/projects/p/1.jsonl' },
      ),
    ],
  },
  check({ event, facts, options }) {
    const lost = lostHooks(event, facts, options)
    return lost.length === 0 ? null : { caught: `would go on although ${lost.join(', and ')}` }
  },
}

function USER(): JsonObject {
  return { host: 'claude-code', scope: 'user', file: '/home/dev/.claude/settings.json', entries: 2 }
}

function MANAGED(): JsonObject {
  const file = '/etc/claude-code/managed-settings.d/holdpoint.json'
  return { host: 'claude-code', scope: 'managed', file, entries: 2 }
}

function LOCAL(): JsonObject {
  return { host: 'claude-code', scope: 'local', file: '/srv/project/.claude/settings.local.json', entries: 2 }
}

function OFF(host: string): JsonObject {
  return { host, file: '/srv/project/.claude/settings.json', wrong: 'has `disableAllHooks`' }
}

function call(
  installs: readonly JsonObject[],
  more: JsonObject = {},
  fields: JsonObject = {},
  kind: 'PreToolUse' | 'UserPromptSubmit' | 'SessionStart' = 'PreToolUse',
): EventExample {
  const tool = kind === 'PreToolUse' ? { tool: { name: 'Bash', input: { command: 'ls' } } } : {}
  return { kind, fields: { host: 'claude-code', ...tool, ...fields }, options: { installs, ...more } }
}
