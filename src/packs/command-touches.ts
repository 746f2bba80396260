import type { SimpleCommand } from '../shell/command.ts'
import { readGit } from '../shell/git.ts'
import { exactForm, exactText, type Form, patternForm, type Word } from '../shell/words.ts'
import { WRAPPERS } from '../shell/wrappers.ts'
import {
  DATA_ONLY,
  INTERPRETERS,
  KEY_OPTIONS,
  METADATA_ONLY,
  PATTERN_FIRST,
  WRITES_ALL,
  WRITES_LAST,
} from './command-table.ts'
import { gitTouches } from './git-touches.ts'
import { candidates, literalsIn } from './path-candidates.ts'
import type { Access } from './touched-paths.ts'

/** A path that a command names. */
export interface Named {
  readonly form: Form
  readonly source: string
  readonly access: Access
  readonly cwd: string | undefined
  readonly unsure?: string
}

/**
 * The paths among a command's arguments and redirections. Every argument of a program not in the tables counts as
 * read: a program nobody thought of must not be a way around.
 */
export function commandTouches(command: SimpleCommand, home: string): readonly Named[] {
  const known = remembered.get(command)
  if (known?.home === home) return known.touches
  const touches = findTouches(command, home)
  remembered.set(command, { home, touches })
  return touches
}

/** Several guards ask about the same command. */
const remembered = new WeakMap<SimpleCommand, { readonly home: string; readonly touches: readonly Named[] }>()

function findTouches(command: SimpleCommand, home: string): readonly Named[] {
  const named = (form: Form, source: string, access: Access, unsure?: string): Named => {
    const shown = exactForm(form) ?? source
    return { form, source: shown, access, cwd: command.cwd, ...(unsure === undefined ? {} : { unsure }) }
  }
  const files = command.redirections.flatMap(({ operator, target }) => {
    const access = redirected(operator, target)
    return access === undefined ? [] : target.forms.map((form) => named(form, target.source, access))
  })
  if (command.name === 'git') {
    const call = readGit(command.args, { cwd: command.cwd, home })
    return [...files, ...gitTouches(call)]
  }
  const args = argumentsOf(command).flatMap(({ word, access, unsure }) => {
    return candidates(word).map((form) => named(form, word.source, access, unsure))
  })
  return [...files, ...args]
}

function redirected(operator: string, target: Word): Access | undefined {
  if (operator.startsWith('<<')) return undefined
  if (operator.endsWith('&') && /^[\d-]+$/.test(exactText(target) ?? '')) return undefined
  return operator === '<' || operator === '<&' ? 'read' : 'write'
}

interface Argument {
  readonly word: Word
  readonly access: Access
  readonly unsure?: string
}

function argumentsOf(command: SimpleCommand): readonly Argument[] {
  const name = command.name ?? ''
  if (DATA_ONLY.has(name) || WRAPPERS.has(name)) return []
  const split = splitArguments(name, command.args)
  const base: Access = METADATA_ONLY.has(name) ? 'metadata' : WRITES_ALL.has(name) ? 'write' : 'read'
  let operands: readonly Argument[] = split.operands.map((word) => ({ word, access: base }))
  if (PATTERN_FIRST.has(name) && !split.givesPattern) operands = operands.slice(1)
  if (WRITES_LAST.has(name) && !split.namesFolder && operands.length > 1) {
    operands = operands.map((each, index) =>
      index === operands.length - 1 ? { ...each, access: 'write' } : each,
    )
  }
  if (name === 'source' || name === '.') operands = operands.map((each) => ({ ...each, unsure: LOADED }))
  if (name === 'dd') operands = operands.map(ddOperand)
  return [...operands, ...split.values, ...quotedInCode(name, command, split.code)]
}

const LOADED = 'it is loaded, not shown; what is loaded can be shown by what comes after'

function ddOperand(each: Argument): Argument {
  return each.word.source.startsWith('of=') ? { ...each, access: 'write' } : each
}

/** The texts that code for another language quotes: a file it opens is one of them. */
function quotedInCode(name: string, command: SimpleCommand, code: readonly Word[]): readonly Argument[] {
  if (!INTERPRETERS.test(name)) return []
  const given = command.redirections.filter(({ operator }) => operator.startsWith('<<'))
  const all = [...code, ...given.map(({ target }) => target)]
  return all.flatMap(literalsIn).map((word) => ({ word, access: 'read' }))
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
      if (text.length > 2 && !isLeftOut(name, flag)) values.push(valueOfOption(flag, word, searches))
      continue
    }
    if (CODE.test(option)) code.push(word)
    if (searches && PATTERN.test(option)) values.push({ word, access: 'metadata' })
    else if (!isLeftOut(name, option)) {
      if (isOwnValue(option, searches)) values.push(valueOfOption(option, word, searches))
      else operands.push(word)
    }
    option = ''
  }
  return { operands, values, code, givesPattern, namesFolder }
}

function isLeftOut(name: string, option: string): boolean {
  return (
    LEFT_OUT.test(option) ||
    (name === 'zip' && option === '-x') ||
    KEY_OPTIONS.get(name)?.test(option) === true
  )
}

function isOwnValue(option: string, searches: boolean): boolean {
  return option === '--env-file' || (searches ? CHOOSES_FILES.test(option) : OUTPUT.test(option))
}

function valueOfOption(option: string, word: Word, searches: boolean): Argument {
  if (option === '--env-file') return { word, access: 'read', unsure: LOADED }
  if (!searches) return { word, access: OUTPUT.test(option) ? 'write' : 'read' }
  const text = exactText(word)
  if (text === undefined || !CHOOSES_FILES.test(option)) return { word, access: 'read' }
  const pattern = text.slice(text.startsWith('-') ? text.indexOf('=') + 1 : 0)
  return {
    word: { ...word, forms: [patternForm(pattern)] },
    access: pattern.startsWith('!') ? 'metadata' : 'read',
  }
}
