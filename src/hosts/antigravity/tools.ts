import type { ToolTable } from '../dialect-tools.ts'

/** Antigravity's tools, as its documentation and others name them. What is missing here is judged by its input. */
export const ANTIGRAVITY_TOOLS: ToolTable = {
  run_command: { name: 'Bash', fields: { CommandLine: 'command', Cwd: 'cwd' } },
  view_file: { name: 'Read', fields: { AbsolutePath: 'file_path' } },
  write_to_file: { name: 'Write', fields: { TargetFile: 'file_path', CodeContent: 'content' } },
  replace_file_content: { name: 'Edit', fields: { TargetFile: 'file_path' } },
  multi_replace_file_content: { name: 'Edit', fields: { TargetFile: 'file_path' } },
  read_url_content: { name: 'WebFetch', fields: { Url: 'url' } },
  invoke_subagent: { name: 'Agent' },
}
