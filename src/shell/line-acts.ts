import { FOREIGN_PACKAGES } from './line-acts/foreign-packages.ts'
import { PROTECTION_ACTS } from './line-acts/protection.ts'
import type { LineAct } from './line-acts/row.ts'
import { TRACES_REMOVED } from './line-acts/traces.ts'
import { TUNNELS } from './line-acts/tunnels.ts'
import { WINDOWS_LOADERS } from './line-acts/windows-loaders.ts'

/**
 * Acts that a program's words say as a whole: which program, and a pattern for all its arguments. For programs with few
 * such calls, or many programs with one each; what needs more reading has a model in src/shell/models.
 */
export const ROWS: ReadonlyMap<string, readonly LineAct[]> = byProgram([
  ...FOREIGN_PACKAGES,
  ...PROTECTION_ACTS,
  ...TRACES_REMOVED,
  ...TUNNELS,
  ...WINDOWS_LOADERS,
])

function byProgram(rows: readonly LineAct[]): ReadonlyMap<string, readonly LineAct[]> {
  const table = new Map<string, LineAct[]>()
  for (const row of rows) {
    for (const program of row.programs) table.set(program, [...(table.get(program) ?? []), row])
  }
  return table
}
