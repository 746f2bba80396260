import type { FileUse } from '../programs/aspects/file-use.ts'
import { programOf } from '../programs/index.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { FileEffect } from '../vocabulary/effect.ts'
import { literalsIn, withoutLiterals } from '../words/path-candidates.ts'
import { exactText, exactWord, patternForm, type Word } from '../words/words.ts'

/** A word that names files, and what the command does with them. */
export interface Argument {
  readonly word: Word
  readonly kind: FileEffect['kind']
  /** It is given to a program that uses it. */
  readonly loaded?: boolean
  readonly unsure?: string
  /** Nothing is known of what the program does with the word. */
  readonly guessed?: boolean
}

/** The arguments of a command that may be files. */
export function fileArguments(command: SimpleCommand): readonly Argument[] {
  const use = useOf(command)
  const quoted = quotedLists(use, command.args)
  if (quoted.length > 0) return quoted
  if (use.operands === 'none') return []
  const split = splitArguments(use, command.args)
  const base = kindFor(use, command.args)
  const named = use.verbs === true ? split.operands.filter(isNoVerb) : split.operands
  const guess = isUnsaid(use) && base === 'read' ? { guessed: true } : {}
  let operands: readonly Argument[] = named.map((word) => ({ word, kind: base, ...guess }))
  if (use.patternFirst === true && !split.givesPattern) operands = operands.slice(1)
  if (use.writesLast === true && !split.namesFolder && operands.length > 1) {
    operands = operands.map((each, index) =>
      index === operands.length - 1 ? { ...each, kind: 'write' } : each,
    )
  }
  if (use.operands === 'move') operands = operands.flatMap(movedOperand)
  if (use.operands === 'load') operands = operands.map((each) => ({ ...each, loaded: true }))
  const { writesAfter } = use
  if (writesAfter !== undefined) {
    operands = operands.map((each) =>
      each.word.source.startsWith(writesAfter) ? { ...each, kind: 'write' } : each,
    )
  }
  const given = [...operands, ...split.values, ...quotedInCode(use, command, split.code)]
  return [...given, ...settingsFile(use, command.args, split)]
}

/** `date -f x`, `wc --files0-from=x`. */
function quotedLists({ quotes }: FileUse, args: readonly Word[]): readonly Argument[] {
  if (quotes === undefined) return []
  return args.flatMap((word, at): readonly Argument[] => {
    const [flag = '', value] = (exactText(word) ?? '').split('=', 2)
    if (value !== undefined && quotes.test(flag)) return [{ word: exactWord(value), kind: 'read' }]
    return at > 0 && quotes.test(exactText(args[at - 1]) ?? '') ? [{ word, kind: 'read' }] : []
  })
}

/** `npx dotenv …` is dotenv, as far as its files go. */
function useOf({ name, args }: SimpleCommand): FileUse {
  const use = programOf(name)?.files ?? {}
  if (use.runsPackages !== true) return use
  const loader = args.map((word) => programOf(exactText(word))?.files).find((each) => each?.loader === true)
  return loader ?? use
}

function settingsFile(use: FileUse, args: readonly Word[], split: Split): readonly Argument[] {
  const taken = use.settings?.(
    args,
    split.values.some(({ loaded }) => loaded === true),
  )
  if (taken === undefined) return []
  return [{ word: exactWord(taken.file), kind: 'read', ...(taken.loaded === true ? { loaded: true } : {}) }]
}

function isUnsaid({ operands, patternFirst, writesLast, writesAfter, code }: FileUse): boolean {
  return (operands ?? patternFirst ?? writesLast ?? writesAfter ?? code) === undefined
}

function isNoVerb(word: Word): boolean {
  return !/^[a-z][a-z-]*$/.test(exactText(word) ?? '')
}

export function onlyAsks(use: FileUse | undefined, args: readonly Word[]): boolean {
  return use?.onlyAsks?.(args.map((word) => exactText(word) ?? word.source)) === true
}

function kindFor(use: FileUse, args: readonly Word[]): FileEffect['kind'] {
  if (use.operands === 'metadata' || onlyAsks(use, args)) return 'metadata'
  if (use.operands === 'delete' || use.operands === 'move') return 'delete'
  return use.operands === 'write' || use.inPlace?.(args.map((word) => word.source)) === true
    ? 'write'
    : 'read'
}

/** Does the program change what it is given? */
export function changesItsOperands({ operands, writesLast, writesAfter }: FileUse): boolean {
  return /^(?:write|delete|move)$/.test(operands ?? '') || writesLast === true || writesAfter !== undefined
}

/** It is gone from where it was, and can be read where it went. */
function movedOperand(each: Argument): readonly Argument[] {
  if (each.kind !== 'delete') return [each]
  return [each, { ...each, kind: 'read', unsure: 'it is moved, and can be read where it goes' }]
}

/** The texts that code for another language quotes: a file it opens is one of them. */
function quotedInCode(use: FileUse, command: SimpleCommand, code: readonly Word[]): readonly Argument[] {
  if (use.code !== true) return []
  const given = command.redirections.filter(({ operator }) => operator.startsWith('<<'))
  const all = [...code, ...given.map(({ target }) => target)]
  return all.flatMap(literalsIn).map((word) => ({ word, kind: 'read' }))
}

interface Split {
  readonly operands: readonly Word[]
  readonly values: readonly Argument[]
  /** Texts after `-c`, `-e`, `--eval`. */
  readonly code: readonly Word[]
  readonly givesPattern: boolean
  readonly namesFolder: boolean
}

// Only options that always take a value stand here: to take a flag for one would hide the file that follows it.
const LEFT_OUT = /^--(exclude|ignore)(-dir|-glob|-pattern)?$/
const OUTPUT = /^(-o|-O|--output(-document)?|--out|-out|-keyout|--outfile)$/
const CODE = /^(-c|-e|-p|-pe|-ne|-r|-E|--eval|--print|--execute)$/
const PATTERN = /^(-[A-Za-z]*e|--regexp|--expression)$/
const PATTERN_OR_FILE = /^(-[A-Za-z]*[ef]|--(regexp|expression|file)$)/
const CHOOSES_FILES = /^(-g|--i?glob|--include)$/

/** Options are told from operands by their dash alone: the value of an option we do not know counts as an operand. */
function splitArguments(use: FileUse, args: readonly Word[]): Split {
  const operands: Word[] = []
  const values: Argument[] = []
  const code: Word[] = []
  let option = ''
  let list = ''
  let givesPattern = false
  let namesFolder = false
  let optionsOver = false
  for (const word of args) {
    const text = exactText(word) ?? word.source
    if (!optionsOver && text.startsWith('-') && text !== '-') {
      const flag = text.split('=', 1)[0] ?? text
      optionsOver = text === '--'
      givesPattern ||= PATTERN_OR_FILE.test(flag)
      namesFolder ||= flag === '-t' || flag === '--target-directory'
      option = text.includes('=') ? '' : text
      list = text
      if (text.length > 2 && !isBundle(text) && !isLeftOut(use, flag))
        values.push(valueOfOption(use, flag, word))
      continue
    }
    if (use.leavesOut?.test(list) === true) continue
    if (option === '') {
      operands.push(word)
      continue
    }
    const isCode = CODE.test(option)
    if (isCode) code.push(word)
    // The texts that the code quotes are looked at one by one; what is left of it may name a file all the same.
    if (isCode && use.code === true) {
      operands.push(withoutLiterals(word))
      option = ''
      continue
    }
    if (use.patternFirst === true && PATTERN.test(option)) values.push({ word, kind: 'metadata' })
    else if (!isLeftOut(use, option)) {
      if (isOwnValue(use, option)) values.push(valueOfOption(use, option, word))
      else operands.push(word)
    }
    option = ''
  }
  return { operands, values, code, givesPattern, namesFolder }
}

function isLeftOut(use: FileUse, option: string): boolean {
  return (
    LEFT_OUT.test(option) ||
    use.prose?.test(option) === true ||
    use.leavesOut?.test(option) === true ||
    isKeyOption(use, option)
  )
}

/** Any program's option of such a name takes what it needs to prove who it is. */
const NAMED_KEY =
  /^--?(?:(?:ssl|tls|client|private|ca|cert|proxy|signing|server|identity|ssh)[-_]?)?(?:key|cert|identity|keystore|kubeconfig|ks|key[-_]?pair)(?:[-_]?(?:file|path|store))?$/
const ACCOUNT =
  /^--(?:service[-_]account(?:[-_]key)?|credentials?|vault-password|password|client-secret|token)(?:[-_](?:file|path))$/

/** Is the value of the option a key that is only used? */
function isKeyOption(use: FileUse, option: string): boolean {
  if (option.length < 2 || use.showsKeys === true) return false
  return use.keys?.test(option) === true || NAMED_KEY.test(option) || ACCOUNT.test(option)
}

const LOADS_ANYWHERE = /^--(?:env-?file|envfile|from-env-file|dotenv)$/

/** Is the value of the option a file whose settings are loaded into a program? */
function isLoadOption(use: FileUse, option: string): boolean {
  return LOADS_ANYWHERE.test(option) || use.loads?.test(option) === true
}

/** `-la`: letters alone; what is attached to a letter and is a file has more than letters. */
function isBundle(text: string): boolean {
  return /^-[A-Za-z]{1,4}$/.test(text)
}

function isOwnValue(use: FileUse, option: string): boolean {
  if (option === '') return false
  return (
    isLoadOption(use, option) ||
    (use.patternFirst === true ? CHOOSES_FILES.test(option) : isOutput(use, option))
  )
}

function isOutput(use: FileUse, option: string): boolean {
  return use.operands !== 'metadata' && use.ownLetters !== true && OUTPUT.test(option)
}

function valueOfOption(use: FileUse, option: string, word: Word): Argument {
  if (isLoadOption(use, option)) return { word, kind: 'read', loaded: true }
  const shown = use.operands === 'metadata' ? 'metadata' : 'read'
  if (use.patternFirst !== true)
    return isOutput(use, option) ? { word, kind: 'write' } : { word, kind: shown, guessed: true }
  const text = exactText(word)
  if (text === undefined || !CHOOSES_FILES.test(option)) return { word, kind: 'read', guessed: true }
  const pattern = text.slice(text.startsWith('-') ? text.indexOf('=') + 1 : 0)
  return {
    word: { ...word, forms: [patternForm(pattern)] },
    kind: pattern.startsWith('!') ? 'metadata' : 'read',
  }
}
