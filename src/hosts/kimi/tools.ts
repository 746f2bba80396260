import type { ToolTable } from '../dialect-tools.ts'

/** Kimi Code 2.1.0: the tools that were seen, and those its documentation names. */
export const KIMI_TOOLS: ToolTable = {
  Read: { name: 'Read', fields: { path: 'file_path' } },
  Write: { name: 'Write', fields: { path: 'file_path' } },
  Edit: { name: 'Edit', fields: { path: 'file_path' } },
  FetchURL: { name: 'WebFetch' },
  Task: { name: 'Agent' },
}
