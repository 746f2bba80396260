import type { ToolTable } from '../dialect-tools.ts'

const EDIT = { filePath: 'file_path', oldString: 'old_string', newString: 'new_string' }

/** The tools of VS Code by the names of its documentation. What is missing here is judged by its input. */
export const VSCODE_TOOLS: ToolTable = {
  runInTerminal: { name: 'Bash' },
  run_in_terminal: { name: 'Bash' },
  readFile: { name: 'Read', fields: { filePath: 'file_path' } },
  read_file: { name: 'Read', fields: { filePath: 'file_path' } },
  createFile: { name: 'Write', fields: { filePath: 'file_path' } },
  create_file: { name: 'Write', fields: { filePath: 'file_path' } },
  replaceString: { name: 'Edit', fields: EDIT },
  replace_string_in_file: { name: 'Edit', fields: EDIT },
  runSubagent: { name: 'Agent', fields: { agentName: 'subagent_type' } },
}
