import { exactForm, type Form, type Piece } from './words.ts'

/** Posix path resolution without a file system: symbolic links are the guard's business (`facts.realpath`). */
export interface Place {
  /** Undefined when it is not known where the command runs. */
  readonly cwd: string | undefined
  readonly home: string
}

/** The absolute path without `.`, `..` and `//`; undefined when it is relative to an unknown folder. */
export function resolvePath(text: string, place: Place): string | undefined {
  const path = resolveForm(text === '' ? [] : [{ kind: 'text', text }], place)
  if (!path.anchored) return undefined
  return `/${path.parts.map((part) => exactForm(part) ?? '').join('/')}`
}

/** A path whose parts may be patterns or unknown. */
export interface PathForm {
  /** Starts at the root; otherwise what stands before the parts is not known. */
  readonly anchored: boolean
  readonly parts: readonly Form[]
  /** Written with a slash (or `/.`) at the end: a link there is followed. */
  readonly folder: boolean
}

export function resolveForm(form: Form, place: Place): PathForm {
  const pieces = splitAtSlashes(withHome(form, place.home))
  const last = exactForm(pieces.at(-1) ?? [])
  const folder = pieces.length > 1 && (last === '' || last === '.' || last === '..')
  const absolute = pieces.length > 1 && pieces[0]?.length === 0
  const opensUnknown = pieces[0]?.[0]?.kind === 'unknown'
  const base = absolute || opensUnknown ? undefined : place.cwd
  return {
    anchored: absolute || base !== undefined,
    parts: normalised(
      base === undefined ? pieces : [...partsOf(base), ...pieces],
      absolute || base !== undefined,
    ),
    folder,
  }
}

/** The folder a command runs in, in parts: the same one for all its words, and mostly for the next command too. */
function partsOf(folder: string): readonly Form[] {
  if (lastFolder?.path !== folder) {
    lastFolder = { path: folder, parts: splitAtSlashes([{ kind: 'text', text: folder }]) }
  }
  return lastFolder.parts
}

let lastFolder: { readonly path: string; readonly parts: readonly Form[] } | undefined

export function baseName(path: string): string {
  return path.slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1).replace(/\/+$/, '')
}

/** Is `path` the folder itself or something below it? Both absolute and resolved. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`)
}

/** A tilde the shell left alone (`--key=~/x`, `"~"`) still means the home folder to whoever wrote it. */
function withHome(form: Form, home: string): Form {
  const [first, ...rest] = form
  if (first?.kind !== 'text' || !/^~(\/|$)/.test(first.text)) return form
  return [{ kind: 'text', text: home + first.text.slice(1) }, ...rest]
}

function splitAtSlashes(form: Form): readonly Form[] {
  let part: Piece[] = []
  const parts: Piece[][] = [part]
  for (const piece of form) {
    if (piece.kind !== 'text' || !piece.text.includes('/')) {
      if (piece.text !== '' || piece.kind !== 'text') part.push(piece)
      continue
    }
    let isFirst = true
    for (const text of piece.text.split('/')) {
      if (!isFirst) {
        part = []
        parts.push(part)
      }
      isFirst = false
      if (text !== '') part.push({ kind: 'text', text })
    }
  }
  return parts
}

function normalised(parts: readonly Form[], anchored: boolean): readonly Form[] {
  const result: Form[] = []
  for (const part of parts) {
    const text = exactForm(part)
    if (text === '' || text === '.') continue
    const above = result.at(-1)
    if (text !== '..') result.push(part)
    else if (above !== undefined && exactForm(above) !== '..') result.pop()
    else if (!anchored) result.push(part)
  }
  return result
}
