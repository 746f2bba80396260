import type { Tree } from '../grammar/tree.ts'
import { eitherFolder, type Folder } from '../words/folders.ts'
import { type Form, textPiece, type Word } from '../words/words.ts'
import type { FilePlace, LineFiles } from './line-files.ts'
import type { Variable, VariableScope } from './scope.ts'

/** What a shell knows while it runs: where it is and what its variables hold. Changed in place, forked for subshells. */
export interface Shell extends VariableScope {
  cwd: string | undefined
  /** What the folder may be, where it is known only in part. */
  mayBeIn: readonly Form[] | undefined
  /** Where it was before. */
  oldFolder: Folder
  readonly home: string
  /** The folders `popd` returns to, last first. */
  stack: readonly Folder[]
  readonly variables: Map<string, Variable>
  positional: readonly Word[] | undefined
  readonly functions: Map<string, ShellFunction>
  /** `alias w='rm -rf'`, `hash -p /bin/rm w`: what a name stands for. Replaced, never changed, so that forks share it. */
  aliases: ReadonlyMap<string, readonly Form[]>
  /** The files this command line wrote. Replaced, never changed. */
  files: LineFiles
  /** The text of a file on the disk; undefined where there is none, and on another machine. */
  readNow: FilePlace['readNow']
  /** What `exec <<< text` put on standard input, in place of what was there. */
  given: { readonly forms: readonly Form[]; readonly over: object } | undefined
  /** `set -a`: every variable reaches the programs that are started. */
  exportsAll: boolean
  /** `export X`, `declare -l X`: what was said of a name, in letters, whether it has a value yet or not. */
  readonly marks: Map<string, string>
  /** The variables that programs get, as they were when they were last asked for. */
  environment: Environment | undefined
}

/** The variables that a program finds, beside those written in front of it. */
export type Environment = readonly { readonly name: string; readonly value: Word }[]

export interface ShellFunction {
  readonly name: string
  readonly body: Tree
  /** The shell where it was defined, for a function that is never called by name. */
  readonly definedIn: Shell
  called: boolean
}

export function fork(shell: Shell): Shell {
  return {
    ...shell,
    variables: new Map(shell.variables),
    functions: new Map(shell.functions),
    marks: new Map(shell.marks),
  }
}

/** A shell that is started as a program: of our variables it sees only those that were exported. */
export function childOf(shell: Shell): Shell {
  const child = fork(shell)
  for (const [name, value] of shell.variables) {
    if (value.exported !== true && !INHERITED.test(name)) child.variables.set(name, UNSET)
  }
  child.marks.clear()
  return child
}

const NOTHING: Environment = []

/** What every program that is started now finds in its environment, as far as this line put it there. */
export function environmentOf(shell: Shell): Environment {
  if (shell.environment !== undefined) return shell.environment
  const found: { name: string; value: Word }[] = []
  for (const [name, value] of shell.variables) {
    if (value.exported !== true || value.unset === true || !('forms' in value)) continue
    found.push({ name, value: { source: `$${name}`, forms: value.forms, splits: false } })
  }
  // Each line with an export in it makes the list anew.
  shell.budget.left -= Math.floor(shell.variables.size / 32)
  shell.environment = found.length === 0 ? NOTHING : found
  return shell.environment
}

/** Set for every program from the start, so that a new value is passed on without `export`. */
const INHERITED = /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TMPDIR|EDITOR|VISUAL|PAGER|PWD|OLDPWD)$/

/** A file written in a subshell or before a pipe is there afterwards, unlike its variables. */
export function keepFiles(shell: Shell, inner: Shell): void {
  shell.files = inner.files
}

export function setVariable(shell: Shell, name: string, value: Variable): void {
  const before = shell.variables.get(name)
  if (before?.readonly === true) return
  const marks = shell.marks.get(name) ?? ''
  const exported = before?.exported === true || shell.exportsAll || marks.includes('x')
  const held = marks === '' ? value : respelled(value, marks)
  putVariable(shell, name, exported ? { ...held, exported } : held)
}

/** Sets it whatever was said of the name before. */
export function putVariable(shell: Shell, name: string, value: Variable): void {
  const before = shell.variables.get(name)
  shell.variables.set(name, value)
  if (before?.exported === true || value.exported === true) shell.environment = undefined
}

/** `declare -x X`, `typeset -l X`: holds for the value it has, and for every one that it gets. */
export function markVariable(shell: Shell, name: string, letters: string): void {
  shell.marks.set(name, (shell.marks.get(name) ?? '') + letters)
  const value = shell.variables.get(name)
  if (value === undefined) return
  const exported = letters.includes('x') ? { exported: true } : {}
  const held = { ...respelled(value, letters), ...exported }
  putVariable(shell, name, letters.includes('r') ? { ...held, readonly: true } : held)
}

/** Variables set for one command that is followed: `X=1 f`, `X=1 eval code`. Afterwards they are what they were. */
export function duringCommand(shell: Shell, assigned: Environment, follow: () => void): void {
  const before = assigned.map(({ name }) => [name, shell.variables.get(name)] as const)
  assignExported(shell, assigned)
  follow()
  for (const [name, value] of before) {
    shell.environment = undefined
    if (value === undefined) shell.variables.delete(name)
    else shell.variables.set(name, value)
  }
}

/** What stands in front of a command is in its environment. */
export function assignExported(shell: Shell, assigned: Environment): void {
  for (const { name, value } of assigned) putVariable(shell, name, { forms: value.forms, exported: true })
}

/** `typeset -L7 x`: the first seven letters, `-R7` the last. */
function cut(text: string, letters: string): string {
  const [, side = '', width = '0'] = /([LRZ])(\d*)/.exec(letters) ?? []
  const size = Number(width)
  if (size === 0) return text
  return side === 'L' ? text.trimStart().slice(0, size) : text.slice(-size)
}

/** `-l`, `-u` and, in zsh, `-L`, `-R` and `-Z` change the text. Whatever it was at first counts as well. */
function respelled(value: Variable, letters: string): Variable {
  if (!('forms' in value) || !/[lucLRZ]/.test(letters)) return value
  const others = value.forms.flatMap((form): readonly Form[] => {
    const inCase = (change: (text: string) => string): Form =>
      form.map((piece) => (piece.kind === 'text' ? textPiece(change(piece.text)) : piece))
    return [
      ...(letters.includes('l') ? [inCase((text) => text.toLowerCase())] : []),
      ...(letters.includes('u') ? [inCase((text) => text.toUpperCase())] : []),
      ...(letters.includes('c') ? [inCase((text) => text.slice(0, 1).toUpperCase() + text.slice(1))] : []),
      ...(/[LRZ]/.test(letters) ? [inCase((text) => cut(text, letters))] : []),
    ]
  })
  const forms = [...value.forms, ...others]
  return forms.length > FORMS_MAX ? { ...value, ...unknownVariable('typeset') } : { ...value, forms }
}

/** After this, `shell` is what either of two ways through a choice may have left. */
export function join(shell: Shell, other: Shell): void {
  joinFolders(shell, other)
  for (const name of new Set([...shell.variables.keys(), ...other.variables.keys()])) {
    const left = shell.variables.get(name)
    const right = other.variables.get(name)
    if (left !== right) putVariable(shell, name, either(name, left, right))
  }
  for (const [name, letters] of other.marks) shell.marks.set(name, (shell.marks.get(name) ?? '') + letters)
  shell.exportsAll ||= other.exportsAll
  for (const [name, each] of other.functions) shell.functions.set(name, each)
  joinNames(shell, other)
}

/** `a && X=2`: a variable that had a value before may still have it. */
export function joinChanged(shell: Shell, before: Shell): void {
  for (const [name, value] of before.variables) {
    const now = shell.variables.get(name)
    if (now !== undefined && now !== value) putVariable(shell, name, either(name, now, value))
  }
}

/** What one turn of a loop changed may have any value in the next. */
export function widen(shell: Shell, after: Shell): void {
  joinFolders(shell, after)
  for (const [name, value] of after.variables) {
    if (shell.variables.get(name) === value) continue
    const exported = value.exported === true ? { exported: true } : {}
    putVariable(shell, name, { ...unknownVariable(name), ...exported })
  }
  for (const [name, letters] of after.marks) shell.marks.set(name, letters)
  shell.exportsAll ||= after.exportsAll
  for (const [name, each] of after.functions) shell.functions.set(name, each)
  joinNames(shell, after)
}

function joinFolders(shell: Shell, other: Shell): void {
  const { cwd, mayBeIn } = eitherFolder(shell, other)
  shell.cwd = cwd
  shell.mayBeIn = mayBeIn
  shell.oldFolder = eitherFolder(shell.oldFolder, other.oldFolder)
}

/** Aliases and files of both ways: what either left there may be run. */
function joinNames(shell: Shell, other: Shell): void {
  if (shell.aliases !== other.aliases) shell.aliases = new Map([...shell.aliases, ...other.aliases])
  if (shell.files === other.files) return
  const files = new Map(shell.files)
  for (const [path, texts] of other.files) {
    const known = files.get(path) ?? []
    files.set(path, [...new Set([...known, ...texts])].slice(0, FORMS_MAX))
  }
  shell.files = files
}

export function unknownVariable(name: string): Variable {
  return { forms: [[{ kind: 'unknown', text: `$${name}` }]] }
}

export const UNSET: Variable = { forms: [[]], unset: true }

const FORMS_MAX = 8

function either(name: string, left: Variable | undefined, right: Variable | undefined): Variable {
  const forms = [...formsOf(name, left), ...formsOf(name, right)]
  const exported = left?.exported === true || right?.exported === true ? { exported: true } : {}
  return { ...(forms.length > FORMS_MAX ? unknownVariable(name) : { forms }), ...exported }
}

function formsOf(name: string, value: Variable | undefined): readonly Form[] {
  return value !== undefined && 'forms' in value ? value.forms : [[{ kind: 'unknown', text: `$${name}` }]]
}
