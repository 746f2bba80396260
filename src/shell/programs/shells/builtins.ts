import { readOptions, valuesOf } from '../../arguments/options.ts'
import { assignedBy } from '../../expand/assigned-by.ts'
import { lookup } from '../../expand/scope.ts'
import {
  markVariable,
  putVariable,
  type Shell,
  setVariable,
  UNSET,
  unknownVariable,
} from '../../expand/state.ts'
import { assignEntry, switchOn } from '../../expand/zsh-names.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import { type Folder, folderAt, formsOf } from '../../words/folders.ts'
import { isFound } from '../../words/found.ts'
import {
  exactForm,
  exactText,
  exactWord,
  type Form,
  hasUnknown,
  itemForms,
  unknownWord,
  type Word,
} from '../../words/words.ts'
import { codeInOptions } from '../aspects/code-options.ts'
import { exportsTree } from '../git/work-tree.ts'
import type { BuiltinCall, ProgramTable } from '../program.ts'
import { forgetsHistory } from '../system/machine.ts'
import { aliasLaunch } from './running.ts'
import { historyLaunch } from './zsh.ts'

const MAPFILE = 'C= c= d= n= O= s= u= t'
const text = { operands: 'none' } as const
const folder = { operands: 'metadata' } as const

/** The builtins that move the shell or set variables. Others change nothing that is followed. */
export const BUILTINS: ProgramTable = {
  cd: { files: folder, changesShell: cd },
  chdir: { changesShell: cd },
  pushd: { files: folder, changesShell: pushd },
  popd: { changesShell: popd },
  export: {
    does: (call) => [...forgetsHistory.export(call), ...exportsTree(call.command, call.home)],
    files: text,
    showsEnvironment: listsVariables,
    changesShell: (args, shell) => declare(args, shell, 'x'),
    declares: true,
  },
  'float integer': { files: text, changesShell: number, declares: true },
  'declare typeset': {
    files: text,
    showsEnvironment: listsVariables,
    changesShell: (args, shell) => declare(args, shell, ''),
    declares: true,
  },
  local: { files: text, changesShell: (args, shell) => declare(args, shell, ''), declares: true },
  readonly: { files: text, changesShell: (args, shell) => declare(args, shell, 'r'), declares: true },
  alias: { files: text, starts: aliasLaunch, changesShell: alias },
  unalias: { changesShell: unalias },
  hash: { files: text, changesShell: hash },
  read: { files: text, changesShell: read },
  'mapfile readarray': { starts: codeInOptions(MAPFILE, 'C'), changesShell: mapfile },
  unset: { does: forgetsHistory.unset, files: text, changesShell: unset },
  set: {
    does: forgetsHistory.set,
    files: text,
    showsEnvironment: ({ args }) => (args.length === 0 ? 'all' : 'none'),
    changesShell: set,
  },
  shift: { files: text, changesShell: shift },
  'getopts let': { changesShell: (args, shell) => forgetNames(args, shell) },
  history: { does: forgetsHistory.history, starts: historyLaunch },
  'false exit return sleep seq expr': { files: text },
}

function listsVariables({ args }: SimpleCommand): 'all' | 'none' {
  return args.every((word) => /^-[px]+$/.test(exactText(word) ?? '')) ? 'all' : 'none'
}

const CD_OPTIONS = 'L P e @'

function cdTarget(args: readonly Word[], shell: Shell): Folder {
  const { operands } = readOptions(args, CD_OPTIONS)
  const [folder] = operands
  if (folder === undefined) return namedIn('HOME', shell) ?? { cwd: shell.home }
  const text = exactText(folder)
  if (text === '-') return namedIn('OLDPWD', shell) ?? shell.oldFolder
  if (text === '') return whereIs(shell)
  const target = folderAt(folder, shell, shell.home)
  const named = text === undefined ? undefined : namedFolders(text, operands[1], shell)
  if (named !== undefined) return { cwd: undefined, mayBeIn: [...formsOf(target), ...named] }
  if (shell.variables.has('CDPATH')) {
    const paths = lookup('CDPATH', shell)
    return searchedFolder(folder, paths ?? [], shell)
  }
  return operands.length > 1 ? { cwd: undefined, mayBeIn: formsOf(target) } : target
}

/** `HOME=folder; cd`, `OLDPWD=folder; cd -`. */
function namedIn(name: string, shell: Shell): Folder | undefined {
  const value = shell.variables.get(name)
  if (value === undefined || value.unset === true || !('forms' in value)) return undefined
  return folderAt({ source: `$${name}`, forms: value.forms, splits: false }, shell, shell.home)
}

/** `cd c` where c is a variable (`cdable_vars`), and `cd old new` of zsh, which changes the name of this folder. */
function namedFolders(text: string, other: Word | undefined, shell: Shell): readonly Form[] | undefined {
  const by = exactText(other)
  if (by !== undefined && shell.cwd?.includes(text) === true)
    return [[{ kind: 'text', text: shell.cwd.replace(text, () => by) }]]
  const paths = /^[A-Za-z_]\w*$/.test(text) && shell.variables.has(text) ? lookup(text, shell) : undefined
  const folders = paths?.filter((form) => /^[/~]/.test(form[0]?.text ?? ''))
  return folders === undefined || folders.length === 0 ? undefined : folders
}

function whereIs({ cwd, mayBeIn }: Shell): Folder {
  return { cwd, mayBeIn }
}

function enter(shell: Shell, folder: Folder): void {
  shell.oldFolder = whereIs(shell)
  shell.cwd = folder.cwd
  shell.mayBeIn = folder.mayBeIn
}

/** `CDPATH=~/.config cd holdpoint`: also looked for in the folders of the variable. */
function cd(args: readonly Word[], shell: Shell, { assignments }: BuiltinCall): void {
  const from = whereIs(shell)
  enter(shell, cdTarget(args, shell))
  const paths = assignments.find((each) => each.name === 'CDPATH')?.value
  if (paths === undefined) return
  const [folder] = readOptions(args, CD_OPTIONS).operands
  const target = folder === undefined ? undefined : searchedFolder(folder, paths.forms, { ...shell, ...from })
  shell.cwd = undefined
  shell.mayBeIn = target?.mayBeIn
}

function searchedFolder(folder: Word, paths: readonly Form[], shell: Shell): Folder {
  const listed = paths.flatMap((form) => (exactForm(form) ?? '').split(':')).filter((path) => path !== '')
  const bases = [whereIs(shell), ...listed.map((path) => folderAt(exactWord(path), shell, shell.home))]
  return {
    cwd: undefined,
    mayBeIn: bases.flatMap((base) => formsOf(folderAt(folder, base, shell.home))),
  }
}

function pushd(args: readonly Word[], shell: Shell): void {
  const before = whereIs(shell)
  const operands = args.filter((word) => !/^-[a-zA-Z]+$/.test(exactText(word) ?? ''))
  const [folder] = operands
  const plain = operands.length === 1 && !/^[-+]/.test(exactText(folder) ?? '')
  const target = plain ? cdTarget(operands, shell) : { cwd: undefined }
  // `pushd -n folder` only puts it on the stack.
  if (args.some((word) => exactText(word) === '-n')) shell.stack = [target, ...shell.stack]
  else {
    enter(shell, target)
    shell.stack = [before, ...shell.stack]
  }
}

function popd(args: readonly Word[], shell: Shell): void {
  const [top, ...rest] = shell.stack
  enter(shell, args.length === 0 && top !== undefined ? top : { cwd: undefined })
  shell.stack = rest
}

/** `NAME=value` among the arguments; a name alone keeps its value. `-x` exports, `-r` fixes. */
function declare(args: readonly Word[], shell: Shell, implied: string): void {
  const flags =
    implied + args.map((word) => /^(?:-(?=.)|(?=\d))(\w+)$/.exec(exactText(word) ?? '')?.[1] ?? '').join('')
  for (const word of args) {
    const given = assignedBy(word)
    for (const { name, append } of given) {
      const forms = given.filter((each) => each.name === name).map((each) => each.value)
      const target = flags.includes('n') && forms.length === 1 ? exactForm(forms[0] ?? []) : undefined
      if (target !== undefined) putVariable(shell, name, { forms, standsFor: target })
      else setVariable(shell, name, append ? unknownVariable(name) : { forms })
      mark(shell, name, flags)
    }
    for (const form of word.forms) {
      const [, target = '', more = ''] = /^(\w+\[[^\]]*\])\+?=(.*)$/s.exec(exactForm(form) ?? '') ?? []
      if (target !== '') assignEntry(target, [more === '' ? [] : [{ kind: 'text', text: more }]], shell)
    }
    const text = exactText(word) ?? ''
    if (/^[A-Za-z_]\w*$/.test(text)) mark(shell, text, flags)
    const array = /^([A-Za-z_]\w*)\+?=\(/.exec(word.source)?.[1]
    if (array !== undefined) setVariable(shell, array, unknownVariable(array))
  }
}

/** A number in zsh, in a form of its own; in bash there is no such command, and nothing is set. */
function number(args: readonly Word[], shell: Shell): void {
  declare(args, shell, '')
  for (const { name } of args.flatMap(assignedBy)) {
    const value = shell.variables.get(name)
    if (value !== undefined && 'forms' in value)
      putVariable(shell, name, { ...value, forms: [...value.forms, ...unknownWord(`$${name}`).forms] })
  }
}

function mark(shell: Shell, name: string, flags: string): void {
  if (/[xrlucLRZ]/.test(flags)) markVariable(shell, name, flags)
}

function alias(args: readonly Word[], shell: Shell): void {
  const given = args
    .flatMap((word) => word.forms)
    .flatMap((form): readonly (readonly [string, readonly Form[]])[] => {
      const [, name, body = ''] = /^([^=\s]+)=(.*)$/s.exec(exactForm(form) ?? '') ?? []
      return name === undefined ? [] : [[name, [body === '' ? [] : [{ kind: 'text', text: body }]]]]
    })
  if (given.length > 0) shell.aliases = new Map([...shell.aliases, ...given])
}

function unalias(args: readonly Word[], shell: Shell): void {
  const gone = new Set(args.map(exactText))
  shell.aliases = new Map([...shell.aliases].filter(([name]) => !gone.has(name) && !gone.has('-a')))
}

/** `hash -p /bin/rm w`: from now on `w` is rm. */
function hash(args: readonly Word[], shell: Shell): void {
  const read = readOptions(args, 'p= r d t l')
  const path = valuesOf(read, 'p').at(-1)
  const name = exactText(read.operands[0])
  if (path !== undefined && name !== undefined)
    shell.aliases = new Map([...shell.aliases, [name, path.forms]])
  // zsh: `hash -d name=folder` for `~name`, and `hash x=/bin/rm`.
  else if (read.options.some((option) => option.name === 'd')) declare(read.operands, shell, '')
  else alias(read.operands, shell)
}

const READ_OPTIONS = 'a= d= i= n= N= p= t= u= e r s'

const LINES_MAX = 16

/**
 * `read X <<< text` sets X to the line; in a loop it gets every line in turn, so it may be any of them. Several names
 * share out the words of one line. What `find` lists it gets one by one, whatever ends a name. With any other option
 * but -r it is not followed.
 */
function read(args: readonly Word[], shell: Shell, { input, assignments }: BuiltinCall): void {
  const separators = assignments.findLast((each) => each.name === 'IFS')?.value
  const given = readOptions(args, READ_OPTIONS)
  const signs = separators === undefined ? ' \t\n' : exactText(separators)
  const names = given.operands.map(exactText).filter((name) => name !== undefined)
  for (const name of names)
    if (name.includes('[')) assignEntry(name, input ?? unknownWord('read').forms, shell)
  const plain =
    names.length > 0 &&
    signs !== undefined &&
    given.options.every((option) => option.name === 'r') &&
    !shell.variables.has('IFS')
  const [only] = names
  const listed = names.length === 1 ? listedLines(input) : undefined
  if (only !== undefined && listed !== undefined) {
    setVariable(shell, only, { forms: listed })
    return
  }
  const lines = plain ? linesOf(input) : undefined
  if (lines === undefined || (names.length > 1 && lines.length > 1)) {
    forgetNames([...given.operands, ...valuesOf(given, 'a')], shell)
    if (given.operands.length === 0) setVariable(shell, 'REPLY', unknownVariable('REPLY'))
    return
  }
  const fields = names.length > 1 ? splitAt(lines[0] ?? '', signs ?? '') : []
  for (const [at, name] of names.entries()) {
    const last = at === names.length - 1
    const texts = names.length === 1 ? lines : [last ? fields.slice(at).join(' ') : (fields[at] ?? '')]
    setVariable(shell, name, { forms: texts.map((text) => (text === '' ? [] : [{ kind: 'text', text }])) })
  }
}

/** Lines that name files of which only a part is known: what `find` lists, `ls -d .c*`. */
function listedLines(input: readonly Form[] | undefined): readonly Form[] | undefined {
  if (input === undefined || input.length === 0 || input.some((form) => exactForm(form) !== undefined))
    return undefined
  if (input.every(isFound)) return input
  return input.some(hasUnknown) ? undefined : input.flatMap((form) => itemForms(form, /[\n\0]+/))
}

/** Blanks count once however many there are; any other sign counts each time. */
function splitAt(line: string, signs: string): readonly string[] {
  if (/^\s+$/.test(signs)) return line.split(/\s+/)
  const fields = ['']
  for (const sign of line) {
    if (signs.includes(sign)) fields.push('')
    else fields[fields.length - 1] += sign
  }
  return fields
}

function linesOf(input: readonly Form[] | undefined): readonly string[] | undefined {
  const [only] = input ?? []
  const text = only === undefined || input?.length !== 1 ? undefined : exactForm(only)
  const lines = text
    ?.trim()
    .split('\n')
    .map((line) => line.trim())
  return lines === undefined || lines.length > LINES_MAX ? undefined : lines
}

/** `mapfile -t A <<< text`: every line an element. */
function mapfile(args: readonly Word[], shell: Shell, { input }: BuiltinCall): void {
  const given = readOptions(args, MAPFILE)
  const name = exactText(given.operands[0]) ?? 'MAPFILE'
  const lines = given.options.every((option) => option.name === 't') ? linesOf(input) : undefined
  const listed = lines === undefined ? listedLines(input) : undefined
  const element = listed === undefined ? undefined : { source: `$${name}`, forms: listed, splits: false }
  const known = element === undefined ? unknownVariable(name) : { elements: [element] }
  setVariable(shell, name, lines === undefined ? known : { elements: lines.map(exactWord) })
}

function unset(args: readonly Word[], shell: Shell): void {
  for (const name of args.map(exactText)) {
    if (name !== undefined && !name.startsWith('-')) setVariable(shell, name, UNSET)
  }
}

function set(args: readonly Word[], shell: Shell): void {
  const texts = args.map((word) => exactText(word) ?? '')
  const at = texts.indexOf('--')
  if (at >= 0) shell.positional = args.slice(at + 1)
  else if (texts[0] !== undefined && !/^[-+]/.test(texts[0])) shell.positional = args
  const flags = texts.slice(0, at < 0 ? undefined : at).join(' ')
  for (const [, name = ''] of flags.matchAll(/(?:^| )-o (\w+)/g)) switchOn(name, shell)
  if (/(^| )(-[a-zA-Z]*a|-o allexport)/.test(flags)) shell.exportsAll = true
  if (/(^| )(\+[a-zA-Z]*a|\+o allexport)/.test(flags)) shell.exportsAll = false
}

function shift(args: readonly Word[], shell: Shell): void {
  const count = Number(exactText(args[0]) ?? (args.length === 0 ? '1' : 'NaN'))
  shell.positional = Number.isInteger(count) ? shell.positional?.slice(count) : undefined
}

function forgetNames(words: readonly Word[], shell: Shell): void {
  for (const text of words.map(exactText)) {
    const name = /^[A-Za-z_]\w*/.exec(text ?? '')?.[0]
    if (name !== undefined) setVariable(shell, name, unknownVariable(name))
  }
}
