import type { ToolTable } from '../dialect-tools.ts'

const FILE = { path: 'file_path' }

/** OpenClaw 2026.9.6: the tools that were seen, and those its documentation names. */
export const OPENCLAW_TOOLS: ToolTable = {
  exec: { name: 'Bash' },
  read: { name: 'Read', fields: FILE, loadsSkills: true },
  write: { name: 'Write', fields: FILE },
  edit: { name: 'MultiEdit', fields: FILE },
  apply_patch: { name: 'apply_patch', fields: { input: 'command' } },
  ls: { name: 'LS' },
  // What these find and call is a call of its own, with events of its own.
  tool_search: { name: 'ToolSearch' },
  tool_describe: { name: 'ToolSearch' },
  tool_call: { name: 'ToolSearch' },
  web_fetch: { name: 'WebFetch' },
  web_search: { name: 'WebSearch' },
  // It never waits for the agent that it starts: the result comes later, as a message.
  sessions_spawn: {
    name: 'Agent',
    fields: { task: 'prompt' },
    background: { option: 'sessions_spawn', isOn: () => true },
  },
}
