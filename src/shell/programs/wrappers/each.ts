import { type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import { knownTextAt } from '../../expand/line-files.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import type { Launch, LaunchCall } from '../../vocabulary/launch.ts'
import { exactText, type Word } from '../../words/words.ts'
import { listItemsOf, merged, withItem } from '../aspects/list-inputs.ts'
import type { ProgramTable } from '../program.ts'
import { parallelLaunch } from './parallel.ts'

/** What it runs is on its input, where it is not on the line. */
function codeFrom({ opaque, inputs }: SimpleCommand) {
  return opaque === undefined ? undefined : ({ from: inputs === undefined ? 'text' : 'input' } as const)
}

/** Programs that run a command once for each thing they read. */
export const EACH: ProgramTable = {
  xargs: {
    starts: xargsLaunch,
    codeFrom,
    filters: {
      options: (args) => args.length === 0 || args.join(' ') === 'echo',
      // It takes quotes and backslashes away.
      change: (text) => (/["'\\]/.test(text) ? undefined : `${text.trim().replace(/\s+/g, ' ')}\n`),
    },
  },
  gxargs: { starts: xargsLaunch },
  parallel: { starts: parallelLaunch, codeFrom },
  sem: { starts: parallelLaunch },
}

const XARGS = `
  0|null a|arg-file= d|delimiter= E= e|eof=? I= i|replace=? J= L= l|max-lines=? n|max-args= o|open-tty
  P|max-procs= p|interactive process-slot-var= R= r|no-run-if-empty S= s|max-chars= t|verbose x|exit
  show-limits help version
`

function xargsLaunch({ args, place, input }: LaunchCall): Launch {
  const read = readOptions(args, XARGS, { stopAtOperand: true })
  const words = args.slice(read.operandsAt)
  if (words.length === 0) return { own: args.length, runs: [] }
  const [file] = valuesOf(read, 'arg-file')
  const marker = markerOf(read)
  // With a marker every line is one thing.
  const isNull = read.options.some(({ name }) => name === 'null')
  const lines = marker !== undefined || isLine(valuesOf(read, 'delimiter')[0])
  const gap = isNull ? /\0+/ : lines ? /[\n\0]+/ : /[\s\0]+/
  const given = listItemsOf(file === undefined ? input.forms : knownTextAt(file, place), gap)
  const inner =
    marker === undefined
      ? [...words, ...given]
      : words.map((word) => withItem(word, marker, given.length === 1 ? given[0] : merged(given)))
  return { own: read.operandsAt, runs: [{ via: 'xargs', words: inner, takesInput: true }] }
}

/** `-d '\n'`: every line is one thing. */
function isLine(delimiter: Word | undefined): boolean {
  return /^(?:\\n|\n)$/.test(exactText(delimiter) ?? '')
}

function markerOf(read: ReadOptions): string | undefined {
  const given = read.options.find((option) => ['I', 'J', 'replace'].includes(option.name))
  return given === undefined ? undefined : (exactText(given.value) ?? '{}')
}
