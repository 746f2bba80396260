import type { ToolTable } from '../dialect-tools.ts'

/** Qwen Code 0.24.4: the tools that were seen, and those its documentation names. */
export const QWEN_TOOLS: ToolTable = {
  run_shell_command: { name: 'Bash' },
  monitor: { name: 'Monitor' },
  read_file: { name: 'Read' },
  write_file: { name: 'Write' },
  edit: { name: 'Edit' },
  notebook_edit: { name: 'NotebookEdit' },
  glob: { name: 'Glob' },
  grep_search: { name: 'Grep' },
  list_directory: { name: 'LS' },
  web_fetch: { name: 'WebFetch' },
  web_search: { name: 'WebSearch' },
  agent: {
    name: 'Agent',
    background: {
      option: 'run_in_background: true',
      // In the background by default.
      isOn: (input) => input.run_in_background !== false,
    },
  },
  skill: { name: 'Skill' },
}
