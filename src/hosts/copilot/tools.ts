import type { ToolTable } from '../dialect-tools.ts'

/** Copilot CLI 1.0.102: the tools that were seen, and those its documentation names. */
export const COPILOT_TOOLS: ToolTable = {
  bash: { name: 'Bash' },
  powershell: { name: 'PowerShell' },
  view: { name: 'Read', fields: { path: 'file_path' } },
  create: { name: 'Write', fields: { path: 'file_path', file_text: 'content' } },
  edit: { name: 'Edit', fields: { path: 'file_path', old_str: 'old_string', new_str: 'new_string' } },
  str_replace_editor: {
    name: 'Edit',
    fields: { path: 'file_path', old_str: 'old_string', new_str: 'new_string' },
  },
  grep: { name: 'Grep' },
  rg: { name: 'Grep' },
  glob: { name: 'Glob' },
  web_fetch: { name: 'WebFetch' },
  web_search: { name: 'WebSearch' },
  task: {
    name: 'Agent',
    fields: { agent_type: 'subagent_type' },
    background: { option: 'mode: "background"', isOn: ({ mode }) => mode === 'background' },
  },
  skill: { name: 'Skill' },
}
