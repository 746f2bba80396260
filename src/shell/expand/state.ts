import type { Tree } from '../grammar/tree.ts'
import { eitherFolder, type Folder } from '../words/folders.ts'
import type { Form, Word } from '../words/words.ts'
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
  /** `set -a`: every variable reaches the programs that are started. */
  exportsAll: boolean
}

export interface ShellFunction {
  readonly name: string
  readonly body: Tree
  /** The shell where it was defined, for a function that is never called by name. */
  readonly definedIn: Shell
  called: boolean
}

export function fork(shell: Shell): Shell {
  return { ...shell, variables: new Map(shell.variables), functions: new Map(shell.functions) }
}

/** A shell that is started as a program: of our variables it sees only those that were exported. */
export function childOf(shell: Shell): Shell {
  const child = fork(shell)
  for (const [name, value] of shell.variables) {
    if (value.exported !== true && !INHERITED.test(name)) child.variables.set(name, UNSET)
  }
  return child
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
  const exported = before?.exported === true || shell.exportsAll
  shell.variables.set(name, exported ? { ...value, exported } : value)
}

/** After this, `shell` is what either of two ways through a choice may have left. */
export function join(shell: Shell, other: Shell): void {
  joinFolders(shell, other)
  for (const name of new Set([...shell.variables.keys(), ...other.variables.keys()])) {
    const left = shell.variables.get(name)
    const right = other.variables.get(name)
    if (left !== right) shell.variables.set(name, either(name, left, right))
  }
  for (const [name, each] of other.functions) shell.functions.set(name, each)
  joinNames(shell, other)
}

/** `a && X=2`: a variable that had a value before may still have it. */
export function joinChanged(shell: Shell, before: Shell): void {
  for (const [name, value] of before.variables) {
    const now = shell.variables.get(name)
    if (now !== undefined && now !== value) shell.variables.set(name, either(name, now, value))
  }
}

/** What one turn of a loop changed may have any value in the next. */
export function widen(shell: Shell, after: Shell): void {
  joinFolders(shell, after)
  for (const [name, value] of after.variables) {
    if (shell.variables.get(name) !== value) shell.variables.set(name, unknownVariable(name))
  }
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
