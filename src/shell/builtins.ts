import { optionTable, readOptions, valuesOf } from './options.ts'
import { resolvePath } from './paths.ts'
import { type Shell, unknownVariable } from './state.ts'
import { concatForms, exactForm, exactText, type Form, type Word } from './words.ts'

/** What the builtins that move the shell or set variables leave behind. Others change nothing we follow. */
export function applyBuiltin(
  name: string,
  args: readonly Word[],
  shell: Shell,
  input: readonly Form[] | undefined,
): void {
  BUILTINS.get(name)?.(args, shell, input)
}

type Builtin = (args: readonly Word[], shell: Shell, input: readonly Form[] | undefined) => void

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['cd', (args, shell) => enter(shell, cdTarget(args, shell))],
  ['chdir', (args, shell) => enter(shell, cdTarget(args, shell))],
  ['pushd', pushd],
  ['popd', popd],
  ['export', declare],
  ['declare', declare],
  ['typeset', declare],
  ['local', declare],
  ['readonly', declare],
  ['read', read],
  ['unset', unset],
  ['set', set],
  ['shift', shift],
  ['mapfile', (args, shell) => forgetNames(args, shell)],
  ['readarray', (args, shell) => forgetNames(args, shell)],
  ['getopts', (args, shell) => forgetNames(args, shell)],
  ['let', (args, shell) => forgetNames(args, shell)],
  ['printf', (args, shell) => exactText(args[0]) === '-v' && forgetNames(args.slice(1, 2), shell)],
])

const CD_OPTIONS = optionTable('L', 'P', 'e', '@')

function cdTarget(args: readonly Word[], shell: Shell): string | undefined {
  const { operands } = readOptions(args, CD_OPTIONS)
  const [folder] = operands
  if (folder === undefined) return shell.home
  const text = exactText(folder)
  if (text === '-') return shell.oldCwd
  if (text === undefined || operands.length > 1 || shell.variables.has('CDPATH')) return undefined
  return text === '' ? shell.cwd : resolvePath(text, shell)
}

function enter(shell: Shell, folder: string | undefined): void {
  shell.oldCwd = shell.cwd
  shell.cwd = folder
}

function pushd(args: readonly Word[], shell: Shell): void {
  const before = shell.cwd
  const [folder] = args
  const plain = args.length === 1 && !/^[-+]/.test(exactText(folder) ?? '-')
  enter(shell, plain ? cdTarget(args, shell) : undefined)
  shell.stack = [before, ...shell.stack]
}

function popd(args: readonly Word[], shell: Shell): void {
  const [top, ...rest] = shell.stack
  enter(shell, args.length === 0 ? top : undefined)
  shell.stack = rest
}

/** `NAME=value` among the arguments; a name alone keeps its value. */
function declare(args: readonly Word[], shell: Shell): void {
  for (const word of args) {
    for (const { name, value, append } of assignedBy(word)) {
      if (append || word.forms.length > 1) shell.variables.set(name, unknownVariable(name))
      else shell.variables.set(name, { forms: [value] })
    }
    const array = /^([A-Za-z_]\w*)\+?=\(/.exec(word.source)?.[1]
    if (array !== undefined) shell.variables.set(array, unknownVariable(array))
  }
}

/** The assignments a word may be, as `env`, `sudo` and `export` read it. */
export function assignedBy(
  word: Word,
): readonly { readonly name: string; readonly value: Form; readonly append: boolean }[] {
  return word.forms.flatMap((form) => {
    const [first, ...rest] = form
    const found = first?.kind === 'text' ? /^([A-Za-z_]\w*)(\+?)=(.*)$/s.exec(first.text) : null
    if (found === null) return []
    const [, name = '', plus = '', text = ''] = found
    return [{ name, value: concatForms([{ kind: 'text', text }], rest), append: plus === '+' }]
  })
}

const READ_OPTIONS = optionTable('a=', 'd=', 'i=', 'n=', 'N=', 'p=', 't=', 'u=', 'e', 'r', 's')

/** `read X <<< text` sets X to the text; more lines than one, or any option but -r, and it is not followed. */
function read(args: readonly Word[], shell: Shell, input: readonly Form[] | undefined): void {
  const given = readOptions(args, READ_OPTIONS)
  const [only] = input ?? []
  const line = only === undefined || input?.length !== 1 ? undefined : exactForm(only)?.trim()
  const [name] = given.operands.map(exactText)
  const plain = given.operands.length === 1 && given.options.every((option) => option.name === 'r')
  if (plain && name !== undefined && line !== undefined && !line.includes('\n')) {
    shell.variables.set(name, { forms: [line === '' ? [] : [{ kind: 'text', text: line }]] })
    return
  }
  forgetNames([...given.operands, ...valuesOf(given, 'a')], shell)
  if (given.operands.length === 0) shell.variables.set('REPLY', unknownVariable('REPLY'))
}

function unset(args: readonly Word[], shell: Shell): void {
  for (const name of args.map(exactText)) {
    if (name !== undefined && !name.startsWith('-')) shell.variables.set(name, { forms: [[]] })
  }
}

function set(args: readonly Word[], shell: Shell): void {
  const at = args.findIndex((word) => exactText(word) === '--')
  if (at >= 0) shell.positional = args.slice(at + 1)
}

function shift(args: readonly Word[], shell: Shell): void {
  const count = Number(exactText(args[0]) ?? (args.length === 0 ? '1' : 'NaN'))
  shell.positional = Number.isInteger(count) ? shell.positional?.slice(count) : undefined
}

function forgetNames(words: readonly Word[], shell: Shell): void {
  for (const text of words.map(exactText)) {
    const name = /^[A-Za-z_]\w*/.exec(text ?? '')?.[0]
    if (name !== undefined) shell.variables.set(name, unknownVariable(name))
  }
}
