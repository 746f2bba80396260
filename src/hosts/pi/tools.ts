import type { ToolTable } from '../dialect-tools.ts'

/** Pi 0.87.1: its own tools. The edits of one call are a list, so an edit is one of several. */
export const PI_TOOLS: ToolTable = {
  bash: { name: 'Bash' },
  read: { name: 'Read', fields: { path: 'file_path' }, loadsSkills: true },
  write: { name: 'Write', fields: { path: 'file_path' } },
  edit: { name: 'MultiEdit', fields: { path: 'file_path' } },
  grep: { name: 'Grep' },
  find: { name: 'Glob' },
  ls: { name: 'LS' },
}
