import { resolveForm } from './paths.ts'
import { concatForms, type Form, isWhollyUnknown, textPiece, type Word } from './words.ts'

/**
 * A folder that is known only in part: `cd .cla*`, `cd "$X/.claude"`, `cd "$(find . -name '.c*')"`, or one of two after
 * an `if`. What is known of it must not be forgotten: a file in it may be a protected one.
 */
export interface Folder {
  /** Where it is certain. */
  readonly cwd: string | undefined
  /** Where it is not: what it may be, as far as that is known. */
  readonly mayBeIn?: readonly Form[] | undefined
}

const FOLDERS_MAX = 8

/** The folder that `word` names for whoever stands in `from`. */
export function folderAt(word: Word, from: Folder, home: string): Folder {
  return folderOf(
    word.forms.flatMap((form) => basesOf(form, from).map((base) => joined(base, form))),
    home,
  )
}

/** One of two. */
export function eitherFolder(left: Folder, right: Folder): Folder {
  if (left.cwd === right.cwd && left.mayBeIn === right.mayBeIn) return left
  return { cwd: undefined, mayBeIn: knownOnes([...formsOf(left), ...formsOf(right)]) }
}

/** What the name of the folder is, as text: the value of `$PWD`. */
export function formsOf({ cwd, mayBeIn }: Folder): readonly Form[] {
  return cwd === undefined ? (mayBeIn ?? []) : [[textPiece(cwd)]]
}

function folderOf(forms: readonly Form[], home: string): Folder {
  const resolved = forms.map((form) => resolveForm(form, { cwd: undefined, home }))
  const [only] = resolved
  if (resolved.length === 1 && only?.anchored === true && only.text !== undefined) return { cwd: only.text }
  return { cwd: undefined, mayBeIn: knownOnes(forms) }
}

function knownOnes(forms: readonly Form[]): readonly Form[] | undefined {
  const known = forms.filter((form) => !isWhollyUnknown(form)).slice(0, FOLDERS_MAX)
  return known.length === 0 ? undefined : known
}

/** The folders a relative name counts from; a name that says where it begins counts from nowhere. */
function basesOf(form: Form, from: Folder): readonly Form[] {
  if (!isRelative(form)) return [[]]
  const bases = formsOf(from)
  return bases.length === 0 ? [[{ kind: 'unknown', text: '$PWD' }]] : bases
}

export function isRelative(form: Form): boolean {
  const [first] = form
  return first === undefined || first.kind === 'glob' || (first.kind === 'text' && !/^[/~]/.test(first.text))
}

export function joined(base: Form, form: Form): Form {
  return base.length === 0 ? form : concatForms(base, [textPiece('/')], form)
}
