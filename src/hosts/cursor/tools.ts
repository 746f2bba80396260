import type { ToolTable } from '../dialect-tools.ts'

/** Cursor's tools, as its SDK 1.0.32 names them. `Delete` has no counterpart: it is judged by its `file_path`. */
export const CURSOR_TOOLS: ToolTable = {
  Shell: { name: 'Bash' },
  Read: { name: 'Read' },
  Write: { name: 'Write' },
  Grep: { name: 'Grep', fields: { file_path: 'path' } },
  List: { name: 'LS', fields: { file_path: 'path' } },
  Fetch: { name: 'WebFetch' },
  Task: { name: 'Agent' },
}
