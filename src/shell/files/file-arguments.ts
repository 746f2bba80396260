import { wordSet } from '../../core/word-list.ts'
import {
  DATA_ONLY,
  INTERPRETERS,
  METADATA_ONLY,
  PATTERN_FIRST,
  REMOVES,
  WRITES_ALL,
  WRITES_LAST,
} from '../file-programs.ts'
import { asksWithoutShowing, isKeyOption, isLoader, isLoadOption } from '../file-uses.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { FileEffect } from '../vocabulary/effect.ts'
import { literalsIn, withoutLiterals } from '../words/path-candidates.ts'
import { exactText, exactWord, patternForm, type Word } from '../words/words.ts'
import { WRAPPERS } from '../wrappers.ts'

/** A word that names files, and what the command does with them. */
export interface Argument {
  readonly word: Word
  readonly kind: FileEffect['kind']
  /** It is given to a program that uses it. */
  readonly loaded?: boolean
  readonly unsure?: string
}

/** The arguments of a command that may be files. */
export function fileArguments(command: SimpleCommand): readonly Argument[] {
  const name = programOf(command)
  if (DATA_ONLY.has(name) || WRAPPERS.has(name)) return []
  const stray = strayWords(command)
  const split = splitArguments(name, command.args)
  const base = kindFor(name, command.args)
  const named = VERBS_FIRST.has(name) ? split.operands.filter(isNoVerb) : split.operands
  let operands: readonly Argument[] = named.map((word) => ({ word, kind: base }))
  if (PATTERN_FIRST.has(name) && !split.givesPattern) operands = operands.slice(1)
  if (WRITES_LAST.has(name) && !split.namesFolder && operands.length > 1) {
    operands = operands.map((each, index) =>
      index === operands.length - 1 ? { ...each, kind: 'write' } : each,
    )
  }
  if (name === 'mv') operands = operands.flatMap(movedOperand)
  if (name === 'source' || name === '.') operands = operands.map((each) => ({ ...each, loaded: true }))
  if (name === 'dd') operands = operands.map(ddOperand)
  const given = [...operands, ...stray, ...split.values, ...quotedInCode(name, command, split.code)]
  return [...given, ...settingsFile(name, command.args, split)]
}

/** Without a file named to them these take `.env`, and `dotenv list` prints it. */
function settingsFile(name: string, args: readonly Word[], split: Split): readonly Argument[] {
  const preloaded = /^(?:node|nodejs|tsx|ts-node|bun)$/.test(name)
    ? args.some((word) => /^dotenv\/config$/.test(exactText(word) ?? ''))
    : /^(?:dotenv|dotenv-cli|dotenvx|godotenv)$/.test(name) &&
      !split.values.some(({ loaded }) => loaded === true)
  if (!preloaded) return []
  const prints = args.some((word) => /^(?:list|get)$/.test(exactText(word) ?? ''))
  return [{ word: exactWord('.env'), kind: 'read', ...(prints ? {} : { loaded: true }) }]
}

/** Told what to do by words of letters alone (`aws eks update-kubeconfig`), which are no files. */
const VERBS_FIRST = wordSet('aws gcloud az gh glab doctl heroku oci ibmcloud eksctl')

function isNoVerb(word: Word): boolean {
  return !/^[a-z][a-z-]*$/.test(exactText(word) ?? '')
}

/** `bash -c cat file`: whoever leaves out the quotes means the file, though the shell does not. */
function strayWords({ name = '', fragment }: SimpleCommand): readonly Argument[] {
  if (!/^(?:ba|z|da|k)?sh$/.test(name)) return []
  const found = /(?:^|[\s/])(?:ba|z|da|k)?sh\s+(?:-[a-z]+\s+){0,6}-[a-z]*c\s+[\w./-]+\s+([^'"`]+)$/.exec(
    fragment,
  )
  const words = found?.[1]?.split(/\s+/) ?? []
  return words.map((word) => ({ word: exactWord(word), kind: 'read' }))
}

/** `npx dotenv …` is dotenv, as far as its files go. */
function programOf({ name = '', args }: SimpleCommand): string {
  const runs = RUNNERS.has(name) ? args.find((word) => isLoader(exactText(word) ?? '')) : undefined
  return exactText(runs) ?? name
}

const RUNNERS = new Set(['npx', 'bunx', 'pnpm', 'yarn', 'npm', 'bundle', 'uv', 'poetry'])

function kindFor(name: string, args: readonly Word[]): FileEffect['kind'] {
  if (METADATA_ONLY.has(name) || asksWithoutShowing(name, args)) return 'metadata'
  if (REMOVES.has(name) || name === 'mv') return 'delete'
  return WRITES_ALL.has(name) || editsInPlace(name, args) ? 'write' : 'read'
}

/** `sed -i`, `perl -pi -e`, `gawk -i inplace`: nothing is shown. */
function editsInPlace(name: string, args: readonly Word[]): boolean {
  if (/^g?awk$/.test(name)) return args.some((word) => word.source === 'inplace')
  if (!/^(?:g?sed|perl|ruby)$/.test(name)) return false
  return args.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word.source))
}

/** It is gone from where it was, and can be read where it went. */
function movedOperand(each: Argument): readonly Argument[] {
  if (each.kind !== 'delete') return [each]
  return [each, { ...each, kind: 'read', unsure: 'it is moved, and can be read where it goes' }]
}

function ddOperand(each: Argument): Argument {
  return each.word.source.startsWith('of=') ? { ...each, kind: 'write' } : each
}

/** The texts that code for another language quotes: a file it opens is one of them. */
function quotedInCode(name: string, command: SimpleCommand, code: readonly Word[]): readonly Argument[] {
  if (!INTERPRETERS.test(name)) return []
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
function splitArguments(name: string, args: readonly Word[]): Split {
  const searches = PATTERN_FIRST.has(name)
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
      if (text.length > 2 && !isBundle(text) && !isLeftOut(name, flag))
        values.push(valueOfOption(name, flag, word))
      continue
    }
    // Everything behind it, up to the next option, is left out of the archive.
    if (name === 'zip' && /^(?:-x|--exclude)$/.test(list)) continue
    if (option === '') {
      operands.push(word)
      continue
    }
    const isCode = CODE.test(option)
    if (isCode) code.push(word)
    // The texts that the code quotes are looked at one by one; what is left of it may name a file all the same.
    if (isCode && INTERPRETERS.test(name)) {
      operands.push(withoutLiterals(word))
      option = ''
      continue
    }
    if (searches && PATTERN.test(option)) values.push({ word, kind: 'metadata' })
    else if (!isLeftOut(name, option)) {
      if (isOwnValue(name, option)) values.push(valueOfOption(name, option, word))
      else operands.push(word)
    }
    option = ''
  }
  return { operands, values, code, givesPattern, namesFolder }
}

/** Prose for a code host: an issue's text names whatever it likes. */
const PROSE = /^(-b|-t|-n|--body|--title|--notes|--description|--message|--comment|--subject)$/

function isLeftOut(name: string, option: string): boolean {
  if ((name === 'gh' || name === 'glab') && PROSE.test(option)) return true
  return LEFT_OUT.test(option) || (name === 'zip' && option === '-x') || isKeyOption(name, option)
}

/** `-la`: letters alone; what is attached to a letter and is a file has more than letters. */
function isBundle(text: string): boolean {
  return /^-[A-Za-z]{1,4}$/.test(text)
}

function isOwnValue(name: string, option: string): boolean {
  if (option === '') return false
  return (
    isLoadOption(name, option) ||
    (PATTERN_FIRST.has(name) ? CHOOSES_FILES.test(option) : isOutput(name, option))
  )
}

/** `ls -o`, `ps -o`, `mount -o`: the letter means something else there. */
function isOutput(name: string, option: string): boolean {
  if (METADATA_ONLY.has(name) || NO_OUTPUT.has(name)) return false
  return OUTPUT.test(option)
}

const NO_OUTPUT = wordSet('ps pgrep mount umount lsblk lscpu useradd usermod groupadd set')

function valueOfOption(name: string, option: string, word: Word): Argument {
  if (isLoadOption(name, option)) return { word, kind: 'read', loaded: true }
  const shown = METADATA_ONLY.has(name) ? 'metadata' : 'read'
  if (!PATTERN_FIRST.has(name)) return { word, kind: isOutput(name, option) ? 'write' : shown }
  const text = exactText(word)
  if (text === undefined || !CHOOSES_FILES.test(option)) return { word, kind: 'read' }
  const pattern = text.slice(text.startsWith('-') ? text.indexOf('=') + 1 : 0)
  return {
    word: { ...word, forms: [patternForm(pattern)] },
    kind: pattern.startsWith('!') ? 'metadata' : 'read',
  }
}
