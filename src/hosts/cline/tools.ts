import type { ToolTable } from '../dialect-tools.ts'

/** Cline 3.0.65: the tools that were seen, and those its documentation names. */
export const CLINE_TOOLS: ToolTable = {
  run_commands: { name: 'Bash', lists: { commands: 'command' } },
  read_files: { name: 'Read' },
  editor: {
    name: 'Edit',
    fields: { path: 'file_path', old_text: 'old_string', new_text: 'new_string' },
  },
  apply_patch: { name: 'apply_patch', fields: { input: 'command' } },
  search_codebase: { name: 'Grep', fields: { queries: 'pattern' } },
  fetch_web_content: { name: 'WebFetch' },
  web_search: { name: 'WebSearch' },
  spawn_agent: { name: 'Agent', fields: { task: 'prompt' }, background: 'never' },
  team_spawn_teammate: { name: 'Agent', fields: { rolePrompt: 'prompt' }, background: 'never' },
  team_run_task: {
    name: 'Agent',
    fields: { task: 'prompt' },
    background: { option: 'runMode: "async"', isOn: ({ runMode }) => runMode === 'async' },
  },
  skills: { name: 'Skill' },
  ask_question: { name: 'AskUserQuestion' },
}
