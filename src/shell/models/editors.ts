import { wordList } from '../../core/word-list.ts'
import { isSet, optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import { writes } from '../programs/files/writing.ts'
import type { ShellEffect } from '../vocabulary/effect.ts'
import { exactText, exactWord, type Word } from '../words/words.ts'
import { screenEditor } from './editors/screen.ts'
import { sedEffects } from './editors/sed.ts'
import type { Model, ModelCall } from './model.ts'

/** Programs that change a file where it is. */
export const editors: Model = {
  programs: wordList('sed gsed ed ex vi vim nvim sort uniq awk gawk mawk patch sponge yq dos2unix'),
  effects(call) {
    switch (call.name) {
      case 'sed':
      case 'gsed':
        return sedEffects(call)
      case 'ed':
      case 'ex':
      case 'vi':
      case 'vim':
      case 'nvim':
        return screenEditor(call)
      case 'sort':
        return named(call, SORT, 'output')
      case 'uniq':
        return readOptions(call.command.args, UNIQ)
          .operands.slice(1, 2)
          .flatMap((word) => writes(word, call.command.cwd))
      case 'patch':
        return patched(call)
      case 'awk':
      case 'gawk':
      case 'mawk':
        return awkEffects(call)
      default:
        return givenFiles(call)
    }
  },
}

export { cases } from './editors/cases.ts'

const SORT = optionTable(`
  o|output= k|key= t|field-separator= S|buffer-size= T|temporary-directory= parallel= compress-program=
  batch-size= files0-from= random-source= sort= u|unique n r
`)
const UNIQ = optionTable('f|skip-fields= s|skip-chars= w|check-chars= group=? c d u i z')

function named({ command }: ModelCall, table: typeof SORT, option: string): readonly ShellEffect[] {
  return valuesOf(readOptions(command.args, table), option).flatMap((word) => writes(word, command.cwd))
}

const PATCH = optionTable(`
  p|strip= i|input= d|directory= o|output= F|fuzz= B|prefix= Y|basename-prefix= D= r= z|suffix= V= dry-run
  R|reverse N|forward s|silent f|force t|batch E b help
`)

function patched({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, PATCH)
  if (isSet(read, 'dry-run') || isSet(read, 'help')) return []
  const output = valuesOf(read, 'output')
  const files = output.length > 0 ? output : read.operands.slice(0, 1)
  return files.flatMap((word) => writes(word, command.cwd))
}

const AWK = optionTable('F|field-separator= v|assign= f|file= i|include= e|source= l|load= o=?')

/** `print > "file"` in the program; and gawk's own way to edit in place. */
function awkEffects({ command }: ModelCall): readonly ShellEffect[] {
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

function givenFiles({ name, command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, optionTable('i|inplace a o|output-format= p|input-format= P'))
  if (name !== 'yq') return read.operands.flatMap((word) => writes(word, command.cwd))
  if (!isSet(read, 'inplace')) return []
  const verbed = /^(e|eval|ea|eval-all|w|write)$/.test(exactText(read.operands[0]) ?? '')
  return read.operands.slice(verbed ? 2 : 1).flatMap((word) => writes(word, command.cwd))
}
