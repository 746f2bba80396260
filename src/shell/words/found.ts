import type { Form } from './words.ts'

/** Stands in a path for what `find` found: any of it, or only what passed its tests. */
export const FOUND = '{}'
export const PICKED = '{…}'
/** The same for what any other search has listed. */
export const LISTED = '{…}/'

/** Does it stand for what a search found or listed? */
export function isSearch({ kind, text }: Form[number]): boolean {
  return kind === 'unknown' && (text === FOUND || text === PICKED || text === LISTED)
}

/** The part of a path that stands for the folders below which a search looked, names with a leading dot included. */
export function isSearched(part: Form | undefined): boolean {
  const [only] = part ?? []
  return part?.length === 1 && only?.kind === 'unknown' && (only.text === FOUND || only.text === LISTED)
}

/** A path that stands for finds of `find`: the folder it looked in, and whether only some of that is meant. */
interface Finds {
  readonly root: Form
  readonly narrowed: boolean
  /** What decides how much is meant, where that is known only at run time. */
  readonly unsure?: string
}

export function findsIn(form: Form): Finds | undefined {
  const at = form.findIndex(({ kind, text }) => kind === 'unknown' && (text === FOUND || text === PICKED))
  if (at < 0) return undefined
  const root = form.slice(0, at)
  const tail = form.slice(at + 1)
  const open = tail.find((piece) => piece.kind === 'unknown')
  if (open !== undefined) return { root, narrowed: false, unsure: `${open.text} is known only at run time` }
  return { root, narrowed: form[at]?.text === PICKED || tail.length > 0 }
}

/** Does it stand for finds? */
export function isFound(form: Form): boolean {
  return findsIn(form) !== undefined
}

/** The same finds, but only some of them. */
export function someOf(form: Form): Form {
  return form.map((piece) =>
    piece.kind === 'unknown' && piece.text === FOUND && form.at(-1) === piece
      ? { kind: 'unknown', text: PICKED }
      : piece,
  )
}
