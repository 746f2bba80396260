import type { ToolTable } from '../dialect-tools.ts'

/** Grok Build 1.0.41: the tools that were seen, and those its guide names. */
export const GROK_TOOLS: ToolTable = {
  run_terminal_command: { name: 'Bash' },
  read_file: { name: 'Read', fields: { target_file: 'file_path' }, loadsSkills: true },
  write: { name: 'Write' },
  search_replace: { name: 'Edit' },
  hashline_edit: { name: 'Edit' },
  grep: { name: 'Grep' },
  list_dir: { name: 'LS' },
  web_fetch: { name: 'WebFetch' },
  web_search: { name: 'WebSearch' },
  spawn_subagent: {
    name: 'Agent',
    background: {
      option: 'background: true',
      isOn: (input) => input.background === true || input.run_in_background === true,
    },
  },
}
