import { eachWord } from '../../core/word-list.ts'
import type { Program, ProgramTable } from './program.ts'

/** Names in the order of the table, a space before and after each, and how to run the file that has their programs. */
type Row = readonly [names: string, load: () => ProgramTable]

/** Names come from commands: without a limit they could fill the memory of a long-running process. */
const KNOWN_MAX = 2_000

/**
 * Programs by name, from files that are run when one of their names is first asked for. The build puts it in the place
 * of the table with everything (scripts/lazy-programs.mjs). Nothing is made of the names at the start: a command has few.
 */
export function lazyTable(rows: readonly Row[]): Pick<ReadonlyMap<string, Program>, 'get' | 'keys'> {
  const known = new Map<string, Program | undefined>()
  return {
    keys: () => rows.flatMap(([names]) => names.trim().split(/ +/)).values(),
    get(name) {
      const program = known.get(name)
      if (program !== undefined || known.has(name)) return program
      const row = name.includes(' ') ? undefined : rows.find(([names]) => names.includes(` ${name} `))
      // If this throws, the name is not known: the next command with it tries again.
      const found = Object.entries(row?.[1]() ?? {})
      if (known.size >= KNOWN_MAX) known.clear()
      known.set(name, undefined)
      for (const [names, each] of found) {
        for (const [own, value] of eachWord(names, each)) known.set(own, value)
      }
      return known.get(name)
    },
  }
}
