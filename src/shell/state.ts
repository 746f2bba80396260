import type { Scope, Variable } from './expand.ts'
import type { Tree } from './tree.ts'
import type { Form, Word } from './words.ts'

/** What a shell knows while it runs: where it is and what its variables hold. Changed in place, forked for subshells. */
export interface Shell extends Scope {
  cwd: string | undefined
  oldCwd: string | undefined
  readonly home: string
  /** The folders `popd` returns to, last first. */
  stack: readonly (string | undefined)[]
  readonly variables: Map<string, Variable>
  positional: readonly Word[] | undefined
  readonly functions: Map<string, ShellFunction>
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

/** After this, `shell` is what either of two ways through a choice may have left. */
export function join(shell: Shell, other: Shell): void {
  if (shell.cwd !== other.cwd) shell.cwd = undefined
  if (shell.oldCwd !== other.oldCwd) shell.oldCwd = undefined
  for (const name of new Set([...shell.variables.keys(), ...other.variables.keys()])) {
    const left = shell.variables.get(name)
    const right = other.variables.get(name)
    if (left !== right) shell.variables.set(name, either(name, left, right))
  }
  for (const [name, each] of other.functions) shell.functions.set(name, each)
}

/** What one turn of a loop changed may have any value in the next. */
export function widen(shell: Shell, after: Shell): void {
  if (shell.cwd !== after.cwd) shell.cwd = undefined
  if (shell.oldCwd !== after.oldCwd) shell.oldCwd = undefined
  for (const [name, value] of after.variables) {
    if (shell.variables.get(name) !== value) shell.variables.set(name, unknownVariable(name))
  }
  for (const [name, each] of after.functions) shell.functions.set(name, each)
}

export function unknownVariable(name: string): Variable {
  return { forms: [[{ kind: 'unknown', text: `$${name}` }]] }
}

const FORMS_MAX = 8

function either(name: string, left: Variable | undefined, right: Variable | undefined): Variable {
  const forms = [...formsOf(name, left), ...formsOf(name, right)]
  return forms.length > FORMS_MAX ? unknownVariable(name) : { forms }
}

function formsOf(name: string, value: Variable | undefined): readonly Form[] {
  return value !== undefined && 'forms' in value ? value.forms : [[{ kind: 'unknown', text: `$${name}` }]]
}
