import { readOptions } from '../../arguments/options.ts'
import { type FileEffect, namedFiles } from '../../vocabulary/effect.ts'
import type { Word } from '../../words/words.ts'
import type { Program } from '../program.ts'
import { isInert } from './inert.ts'

export function writes(word: Word, cwd: string | undefined): readonly FileEffect[] {
  return namedFiles(word, cwd).map((file): FileEffect => ({ kind: 'write', ...file }))
}

/** The words that are no options; none where it only tries. */
export function plainOperands(args: readonly Word[], options = ''): readonly Word[] {
  const read = readOptions(args, [options, 'help version'].join(' '))
  return isInert(read) || read.options.some((option) => option.name === 'no-act') ? [] : read.operands
}

/** A program that writes what it is given, from this operand on. */
export function writing(options = '', from = 0): NonNullable<Program['does']> {
  return ({ command }) =>
    plainOperands(command.args, options)
      .slice(from)
      .flatMap((word) => writes(word, command.cwd))
}
