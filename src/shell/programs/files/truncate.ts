import { readOptions, valuesOf } from '../../arguments/options.ts'
import { exactText } from '../../words/words.ts'
import { program } from '../program.ts'
import { isInert } from './inert.ts'
import { reached } from './reached.ts'
import { writes, writing } from './writing.ts'

const OPTIONS = 's|size= r|reference= c|no-create o|io-blocks help version'

/** A file cut to nothing is as good as deleted. */
export const truncate = program('truncate', {
  does: ({ command: { args, cwd } }) => {
    const read = readOptions(args, OPTIONS)
    if (isInert(read)) return []
    const toNothing = valuesOf(read, 'size').some((word) =>
      /^[<%/]?0+[A-Za-z]*$/.test(exactText(word) ?? '0'),
    )
    const written = read.operands.flatMap((word) => writes(word, cwd))
    return toNothing
      ? [...written, ...read.operands.flatMap((word) => reached('delete', word, cwd, {}))]
      : written
  },
  files: { operands: 'write' },
  keeps: { kind: 'nothing' },
})

export const touch = program('touch', {
  does: writing('d|date= t= r|reference= time= a m c|no-create h|no-dereference'),
  files: { operands: 'write' },
  keeps: { kind: 'nothing' },
})
