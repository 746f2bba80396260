import type { ToolTable } from '../dialect-tools.ts'

/** Gemini CLI 0.61.0: the tools that were seen, and those its documentation names. */
export const GEMINI_TOOLS: ToolTable = {
  run_shell_command: { name: 'Bash' },
  read_file: { name: 'Read' },
  write_file: { name: 'Write' },
  replace: { name: 'Edit' },
  glob: { name: 'Glob', fields: { dir_path: 'path' } },
  grep_search: { name: 'Grep', fields: { dir_path: 'path' } },
  list_directory: { name: 'LS', fields: { dir_path: 'path' } },
  web_fetch: { name: 'WebFetch' },
  google_web_search: { name: 'WebSearch' },
  invoke_agent: { name: 'Agent', fields: { agent_name: 'subagent_type' }, background: 'never' },
  activate_skill: { name: 'Skill', fields: { name: 'skill' } },
}
