import { isSet, type OptionText, readOptions } from '../../arguments/options.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactText } from '../../words/words.ts'
import { type Program, program } from '../program.ts'
import { SHRED } from './acts.ts'
import { isInert } from './inert.ts'
import { deletions } from './reached.ts'

function shredding(options: OptionText): NonNullable<Program['does']> {
  return ({ command }) => {
    const read = readOptions(command.args, options)
    if (isInert(read) || read.operands.every((word) => exactText(word) === '-')) return []
    const recursive = isSet(read, 'recursive')
    const gone = read.operands.flatMap((target) => deletions(target, command.cwd, { recursive }))
    // A device is not removed but written over.
    const written = gone.map(({ form, source, cwd }): ShellEffect => ({ kind: 'write', form, source, cwd }))
    return [SHRED, ...gone, ...written]
  }
}

export const shred = program('shred', {
  does: shredding(
    'f|force n|iterations= random-source= s|size= u remove=? v|verbose x|exact z|zero help version',
  ),
  files: { operands: 'delete' },
  keeps: { kind: 'removes' },
})

export const srm = program('srm', {
  does: shredding(
    'r|R|recursive f|force i|interactive s|simple m|medium z|zero n|nounlink d l v|verbose x help h version V',
  ),
})

export const wipe = program('wipe', {
  does: shredding(
    'r|recursive f|force i|interactive k c D e q Q= R= S= s|silent l= o= P= X= x= b= M= F Z h|help v|version',
  ),
})
