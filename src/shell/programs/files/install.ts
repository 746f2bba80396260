import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import { exactText } from '../../words/words.ts'
import { codeInOptions } from '../aspects/code-options.ts'
import { SETUID } from '../permissions/acts.ts'
import { readMode } from '../permissions/modes.ts'
import { program } from '../program.ts'
import { isInert } from './inert.ts'
import { leavesCopies, placed } from './placing.ts'
import { writes } from './writing.ts'

const OPTIONS = `
  t|target-directory= T|no-target-directory S|suffix= b backup=? d|directory D c m|mode= o|owner= g|group=
  p|preserve-timestamps s|strip strip-program= v|verbose C|compare Z context=? help version
`

export const install = program('install', {
  does: (call) => {
    const { args, cwd } = call.command
    const read = readOptions(args, OPTIONS)
    if (!isInert(read) && isSet(read, 'directory')) return read.operands.flatMap((word) => writes(word, cwd))
    const installed = placed(call, OPTIONS)
    if (installed === undefined) return []
    const mode = readMode(exactText(valuesOf(read, 'mode').at(-1)) ?? '')
    return [...(mode?.setsUser === true ? [SETUID] : []), ...installed.written]
  },
  starts: codeInOptions(OPTIONS, 'strip-program'),
  files: { writesLast: true },
  leaves: leavesCopies,
  keeps: { kind: 'copies' },
})
