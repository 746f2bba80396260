import { wordList } from '../../../core/word-list.ts'
import { isSet, optionTable, readOptions, valuesOf } from '../../arguments/options.ts'
import { reached } from '../../programs/files/reached.ts'
import { writes } from '../../programs/files/writing.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { unpackedInto } from './packers.ts'

const UNZIP = optionTable('d= P= x l t v p c Z z o n j q u f a b C L X')

export function unzipEffects({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, UNZIP)
  const shows = wordList('l t v p c Z z h help').some((name) => isSet(read, name))
  if (shows || read.operands.length === 0) return []
  return unpackedInto(valuesOf(read, 'd').at(-1), command.cwd)
}

const ZIP = optionTable(
  'r|recurse-paths m|move d|delete q j u f g y T v h help sf b= n= t= tt= x= i= P= s= O|out= Z=',
)

/** The archive is written; with `-m` what was packed is deleted. */
export function zipEffects({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, ZIP)
  const [archive, ...packed] = read.operands
  if (archive === undefined || ['h', 'help', 'T', 'sf'].some((name) => isSet(read, name))) return []
  const made = exactText(archive) === '-' ? [] : writes(archive, command.cwd)
  if (!isSet(read, 'move')) return made
  const recursive = isSet(read, 'recurse-paths')
  return [...made, ...packed.flatMap((word) => reached('delete', word, command.cwd, { recursive }))]
}

/** 7z and unrar: a verb, options with the value attached, the archive. `x` and `e` unpack, `a` packs. */
export function sevenEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const [verb, ...rest] = command.args
  const words = rest.filter((word) => !/^-/.test(exactText(word) ?? ''))
  if (/^[xe]$/.test(exactText(verb) ?? '')) {
    const folder = name === 'unrar' ? words[1] : attached(rest, '-o')
    return unpackedInto(folder, command.cwd)
  }
  const [archive, ...packed] = words
  if (archive === undefined || !/^[aud]$/.test(exactText(verb) ?? '')) return []
  const moves = rest.some((word) => exactText(word) === '-sdel')
  const gone = moves
    ? packed.flatMap((word) => reached('delete', word, command.cwd, { recursive: true }))
    : []
  return [...writes(archive, command.cwd), ...gone]
}

function attached(words: readonly Word[], option: string): Word | undefined {
  const word = words.find((each) => each.forms.some((form) => form[0]?.text.startsWith(option) === true))
  if (word === undefined) return undefined
  const forms = word.forms.map((form) => {
    const [first, ...rest] = form
    const text = first?.text.slice(option.length) ?? ''
    return text === '' ? rest : [{ kind: 'text', text } as const, ...rest]
  })
  return { ...word, forms }
}
