import { exactForm, type Form, type Piece } from './words.ts'

/** Posix path resolution without a file system: symbolic links are the guard's business (`facts.realpath`). */
export interface PathContext {
  /** Undefined when it is not known where the command runs. */
  readonly cwd: string | undefined
  readonly home: string
}

/** The absolute path without `.`, `..` and `//`; undefined when it is relative to an unknown folder. */
export function resolvePath(text: string, place: PathContext): string | undefined {
  const path = resolveForm(text === '' ? [] : [{ kind: 'text', text }], place)
  return path.anchored ? path.text : undefined
}

/** A path whose parts may be patterns or unknown. */
export interface PathForm {
  /** Starts at the root; otherwise what stands before the parts is not known. */
  readonly anchored: boolean
  readonly parts: readonly Form[]
  /** The whole path where every part is exact: `/srv/project/x`, or `x/y` where it is not anchored. */
  readonly text: string | undefined
  /** Written with a slash (or `/.`) at the end: a link there is followed. */
  readonly folder: boolean
}

/** The same names come again and again: from guard to guard, and from command to command. */
export function resolveForm(form: Form, place: PathContext): PathForm {
  const only = form.length === 1 && form[0]?.kind === 'text' ? form[0].text : undefined
  if (only === undefined || only.length > REMEMBERED_LENGTH_MAX) return resolved(form, place)
  if (
    remembered.cwd !== place.cwd ||
    remembered.home !== place.home ||
    remembered.paths.size >= REMEMBERED_MAX
  )
    remembered = { cwd: place.cwd, home: place.home, paths: new Map() }
  const known = remembered.paths.get(only)
  if (known !== undefined) return known
  const path = resolved(form, place)
  remembered.paths.set(only, path)
  return path
}

const REMEMBERED_MAX = 256
const REMEMBERED_LENGTH_MAX = 256

let remembered: PathContext & { readonly paths: Map<string, PathForm> } = {
  cwd: undefined,
  home: '',
  paths: new Map(),
}

function resolved(form: Form, place: PathContext): PathForm {
  const pieces = splitAtSlashes(withHome(form, place.home))
  const last = exactForm(pieces.at(-1) ?? [])
  const folder = pieces.length > 1 && (last === '' || last === '.' || last === '..')
  const absolute = pieces.length > 1 && pieces[0]?.length === 0
  const opensUnknown = pieces[0]?.[0]?.kind === 'unknown'
  const base = absolute || opensUnknown ? undefined : place.cwd
  const anchored = absolute || base !== undefined
  const parts = base === undefined ? [] : [...partsOf(base)]
  for (const piece of pieces) step(parts, piece, anchored)
  return { anchored, parts, text: textOf(parts, anchored), folder }
}

/** The folder a command runs in, in parts: the same one for all its words, and mostly for the next command too. */
function partsOf(folder: string): readonly Form[] {
  if (lastFolder?.path !== folder) {
    const parts: Form[] = []
    for (const part of splitAtSlashes([{ kind: 'text', text: folder }])) step(parts, part, true)
    lastFolder = { path: folder, parts }
  }
  return lastFolder.parts
}

let lastFolder: { readonly path: string; readonly parts: readonly Form[] } | undefined

export function baseName(path: string): string {
  if (!path.endsWith('/')) return path.slice(path.lastIndexOf('/') + 1)
  return path.slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1).replace(/\/+$/, '')
}

/** Is `path` the folder itself or something below it? Both absolute and resolved. */
export function isInside(path: string, folder: string): boolean {
  if (path.length <= folder.length) return path === folder || folder === '/'
  return folder === '/' || (path[folder.length] === '/' && path.startsWith(folder))
}

/** A tilde the shell left alone (`--key=~/x`, `"~"`) still means the home folder to whoever wrote it. */
function withHome(form: Form, home: string): Form {
  const first = form[0]
  if (first?.kind !== 'text' || !first.text.startsWith('~')) return form
  if (first.text !== '~' && first.text[1] !== '/') return form
  return [{ kind: 'text', text: home + first.text.slice(1) }, ...form.slice(1)]
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

/** Goes one part further: `.` stays, `..` goes back. */
function step(parts: Form[], part: Form, anchored: boolean): void {
  const text = exactForm(part)
  if (text === '' || text === '.') return
  const above = parts.at(-1)
  if (text !== '..') parts.push(part)
  else if (above !== undefined && exactForm(above) !== '..') parts.pop()
  else if (!anchored) parts.push(part)
}

function textOf(parts: readonly Form[], anchored: boolean): string | undefined {
  let path = ''
  for (const part of parts) {
    const text = exactForm(part)
    if (text === undefined) return undefined
    path += path === '' && !anchored ? text : `/${text}`
  }
  return path === '' && anchored ? '/' : path
}
