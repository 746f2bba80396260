import { wordSet } from '../../core/word-list.ts'
import type { Tree } from '../grammar/tree.ts'
import { type Folder, formsOf } from '../words/folders.ts'
import { concatForms, type Form, textPiece, type Word } from '../words/words.ts'
import type { LineFiles } from './line-files.ts'

/** What expansion needs to know of the shell at this point. */
/** Set where zsh reads `^x` as every name but `x`: no variable can be called so. */
export const EXTENDED_PATTERNS = '^'

/** Set where zsh enters a folder that is named alone. */
export const AUTO_CD = '/'

/** Set where zsh reads `{ab}` as one of these characters. */
export const BRACE_CHARACTERS = '{'

export interface VariableScope {
  readonly cwd: string | undefined
  readonly mayBeIn: readonly Form[] | undefined
  readonly oldFolder: Folder
  readonly home: string
  readonly variables: ReadonlyMap<string, Variable>
  /** `$1`, `$2`, …; undefined when they are not known. */
  readonly positional: readonly Word[] | undefined
  readonly budget: { left: number }
  /** As zsh: the value of a variable is one word, and no pattern. */
  readonly keepsWords?: boolean
  /** The files this command line wrote. */
  readonly files: LineFiles
  /** What a substituted command prints, where that can be told without running it. */
  output(body: Tree, scope: VariableScope): readonly Form[] | undefined
}

export type Variable = ({ readonly forms: readonly Form[] } | { readonly elements: readonly Word[] }) & {
  /** Reaches the programs that are started. */
  readonly exported?: boolean
  readonly readonly?: boolean
  /** Known to be unset, which `${x-other}` tells from empty. */
  readonly unset?: boolean
  /** `declare -n x=y`: x is another name of y. */
  readonly standsFor?: string
}

/** Some number, whichever. */
export const NUMBER: Form = [{ kind: 'glob', text: '[0-9]*' }]
const NUMBERS = wordSet('# ? $ ! RANDOM SECONDS EPOCHSECONDS UID EUID PPID BASHPID')

/** The possible values of a variable by name; undefined when it is not known. */
export function lookup(name: string, scope: VariableScope): readonly Form[] | undefined {
  const named = scope.variables.get(name)
  const assigned = named?.standsFor === undefined ? named : (scope.variables.get(named.standsFor) ?? named)
  if (assigned !== undefined)
    return 'forms' in assigned ? assigned.forms : (assigned.elements[0]?.forms ?? [[]])
  if (NUMBERS.has(name)) return [NUMBER]
  if (/^[1-9]\d*$/.test(name)) return scope.positional?.[Number(name) - 1]?.forms
  if (name === 'PWD' || name === 'OLDPWD') return folderNames(name === 'PWD' ? scope : scope.oldFolder)
  const value = wellKnown(name, scope)
  return value === undefined ? undefined : [concatForms([textPiece(value)])]
}

function folderNames(folder: Folder): readonly Form[] | undefined {
  const forms = formsOf(folder)
  return forms.length === 0 ? undefined : forms
}

function wellKnown(name: string, scope: VariableScope): string | undefined {
  switch (name) {
    case 'HOME':
      return scope.home
    case 'TMPDIR':
      return '/tmp'
    case 'USER':
    case 'LOGNAME':
      return scope.home.slice(scope.home.lastIndexOf('/') + 1)
    case 'SHELL':
      return '/bin/bash'
    case 'IFS':
      return ' \t\n'
    default:
      return undefined
  }
}
