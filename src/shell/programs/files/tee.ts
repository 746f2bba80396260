import { readOptions } from '../../arguments/options.ts'
import { putFile } from '../../expand/line-files.ts'
import { program } from '../program.ts'
import { writing } from './writing.ts'

export const tee = program('tee', {
  does: writing(),
  files: { operands: 'write' },
  filters: { options: () => true },
  passesOn: true,
  leaves: (args, shell, { forms, piped, content }) => {
    if (forms === undefined && !piped) return
    const { operands, options } = readOptions(args, 'a|append i p')
    const appends = options.some((option) => option.name === 'append')
    for (const target of operands) putFile(shell, target, content(), appends)
  },
  keeps: { kind: 'input' },
})

/** Reads all of its input before it writes the file. */
export const sponge = program('sponge', {
  does: writing('a'),
  filters: { options: (args) => args.length === 0 },
})
