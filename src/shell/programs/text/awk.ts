import { readOptions, valuesOf } from '../../arguments/options.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, exactWord, type Word } from '../../words/words.ts'
import { findProgram, type Interpreter } from '../aspects/interpreter.ts'
import { writes } from '../files/writing.ts'
import type { ProgramCall, ProgramTable } from '../program.ts'
import { plainText } from './line-choice.ts'

const AWK = 'F|field-separator= v|assign= f|file= i|include= e|source= l|load= o=?'
const LANGUAGE: Interpreter = {
  language: 'awk',
  readsInput: false,
  find: findProgram('e', 'f', 'Fv', /^--source$/, false),
}

/** A pattern alone, which prints the lines that fit it. */
const PICKS = /^(?:1|NR[^{}]*|\/[^{}]*\/)(?:\s*\{\s*print(?: \$0)?;?\s*\})?$/

export const AWKS: ProgramTable = {
  'awk gawk': {
    does: printed,
    interprets: LANGUAGE,
    files: {
      patternFirst: true,
      // `awk -F= '{print $1}'`: only the names of settings.
      onlyAsks: (words) =>
        /(?:^| )-F ?["']?=/.test(words.join(' ')) &&
        words.some((word) => /^\{\s*print \$1;?\s*\}$/.test(word)),
      inPlace: (words) => words.includes('inplace'),
    },
    choosesLines: { ofFile: (args) => args.some((word) => PICKS.test(plainText(word))) },
    passesOn: true,
  },
  mawk: { does: printed, interprets: LANGUAGE, files: { patternFirst: true } },
  'nawk original-awk': { interprets: LANGUAGE },
}

/** `print > "file"` in the program; and gawk's own way to edit in place. */
function printed({ command }: ProgramCall): readonly ShellEffect[] {
  const read = readOptions(command.args, AWK, { stopAtOperand: true })
  const given = valuesOf(read, 'file', 'source')
  const programs = given.length > 0 ? valuesOf(read, 'source') : read.operands.slice(0, 1)
  const printed = programs.flatMap((word) => {
    const found = [...(exactText(word) ?? '').matchAll(/>>?\s*"([^"\\]{1,200})"/g)]
    return found.map((match) => exactWord(match[1] ?? ''))
  })
  const inPlace = valuesOf(read, 'include').some((word) => /inplace/.test(exactText(word) ?? ''))
  const changed: readonly Word[] = inPlace ? read.operands.slice(given.length > 0 ? 0 : 1) : []
  return [...printed, ...changed].flatMap((word) => writes(word, command.cwd))
}
