import type { ToolTable } from '../dialect-tools.ts'

/** Goose 1.52.0 with its `developer` extension: the tools that were seen. */
export const GOOSE_TOOLS: ToolTable = {
  shell: { name: 'Bash' },
  write: { name: 'Write', fields: { path: 'file_path' } },
  edit: { name: 'Edit', fields: { path: 'file_path', before: 'old_string', after: 'new_string' } },
  delegate: {
    name: 'Agent',
    fields: { instructions: 'prompt' },
    background: { option: 'async: true', isOn: (input) => input.async === true },
  },
  load_skill: { name: 'Skill', fields: { name: 'skill' } },
}
