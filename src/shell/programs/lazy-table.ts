import { eachWord } from '../../core/word-list.ts'
import type { Program, ProgramTable } from './program.ts'

/** Names in the order of the table, a space between them, and how to run the file that has their programs. */
type Row = readonly [names: string, load: () => ProgramTable]

/**
 * Programs by name, from files that are run when one of their names is first asked for. The build puts it in the place
 * of the table with everything (scripts/lazy-programs.mjs).
 */
export function lazyTable(rows: readonly Row[]): Pick<ReadonlyMap<string, Program>, 'get' | 'keys'> {
  const loads = new Map<string, () => ProgramTable>()
  for (const [names, load] of rows) for (const name of names.split(' ')) loads.set(name, load)
  const loaded = new Map<string, Program>()
  return {
    keys: () => loads.keys(),
    get(name) {
      const program = loaded.get(name)
      if (program !== undefined) return program
      const table = loads.get(name)?.() ?? {}
      for (const [names, each] of Object.entries(table)) {
        for (const [own, value] of eachWord(names, each)) loaded.set(own, value)
      }
      return loaded.get(name)
    },
  }
}
