import { isSearch } from '../words/found.ts'
import { type PathContext, resolveForm } from '../words/paths.ts'
import { mayMatchName } from '../words/patterns.ts'
import {
  concatForms,
  exactForm,
  exactText,
  type Form,
  hasUnknown,
  isWhollyUnknown,
  type Piece,
  textPiece,
  type Word,
} from '../words/words.ts'
import { scriptFile, scriptsIn } from './npm-scripts.ts'
import type { Shell } from './state.ts'

/**
 * The files a command line writes and may run later: `echo 'rm -rf ~' > x.sh; sh x.sh`. Only what this very line put
 * there; what was on the disk before is a program like any other.
 */
export type LineFiles = ReadonlyMap<string, readonly LineFile[]>

/**
 * `text`: written out in the line. `program`: a copy of, or a link to, another program. `unknown`: made at run time.
 * `fetched`: from the network; flow.ts follows that and can say more.
 */
export type LineFile =
  | { readonly kind: 'text'; readonly forms: readonly Form[] }
  | { readonly kind: 'program'; readonly word: Word }
  | { readonly kind: 'unknown' | 'fetched' }

/** Files that were written before, as if this line had written them; a package.json also by its scripts. */
export function knownFiles(written: ReadonlyMap<string, string>): LineFiles {
  const files = new Map<string, readonly LineFile[]>()
  for (const [path, text] of written) {
    files.set(path, [{ kind: 'text', forms: [[textPiece(text)]] }])
    for (const { name, code } of path.endsWith('/package.json') ? scriptsIn(text) : [])
      files.set(exactText(scriptFile(name)) ?? '', [{ kind: 'text', forms: [[textPiece(code)]] }])
  }
  return files
}

/** More files than this are not remembered: no honest line runs what it wrote so long ago. */
const FILES_MAX = 64

export function putFile(shell: Shell, target: Word, content: LineFile, appends = false): void {
  if (shell.files.size >= FILES_MAX || target.forms.length > 4) return
  const files = new Map(shell.files)
  for (const form of target.forms) {
    const path = pathKey(form, shell)
    if (/^\/dev\/(null|tty|std\w+)$/.test(path)) continue
    const before = files.get(path)
    if (before === undefined) files.set(path, [content])
    else if (appends)
      files.set(
        path,
        before.map((each) => appended(each, content)),
      )
    // Two temporary files look alike before they are made: it may be either.
    else files.set(path, path.includes('XXX') ? [...before, content].slice(-8) : [content])
  }
  shell.files = files
}

/** What the file may hold, where this line wrote it; undefined for every other file. */
export function fileAt(word: Word, place: FilePlace): readonly LineFile[] | undefined {
  if (place.files.size === 0) return undefined
  const found = word.forms.flatMap((form) => place.files.get(pathKey(form, place)) ?? filesLike(form, place))
  return found.length === 0 ? undefined : found
}

/** The files of the line below a folder, each by the rest of its path. */
export function filesBelow(
  folder: Word,
  place: FilePlace,
): readonly { readonly rest: string; readonly files: readonly LineFile[] }[] {
  const roots = folder.forms.map((form) => `${pathKey(form, place).replace(/\/+$/, '')}/`)
  return [...place.files].flatMap(([path, files]) => {
    const root = roots.find((each) => path.startsWith(each))
    return root === undefined ? [] : [{ rest: path.slice(root.length), files }]
  })
}

/** Files of the line that a pattern or a search may name: `sh ./x*`, `find . -name x.sh -exec sh {} +`. */
function filesLike(form: Form, place: FilePlace): readonly LineFile[] {
  if (exactForm(form) !== undefined || isWhollyUnknown(form)) return []
  const { anchored, parts } = resolveForm(form, place)
  const searched = parts.findIndex((part) => part.some(isSearch))
  if (!anchored || parts.some((part, at) => at !== searched && hasUnknown(part))) return []
  const like: LineFile[] = []
  for (const [path, files] of place.files) {
    const names = path.split('/').slice(1)
    const fits =
      searched < 0
        ? names.length === parts.length && fitsNames(parts, names)
        : fitsNames(parts.slice(0, searched), names.slice(0, searched)) &&
          fitsNames(parts.slice(searched + 1), names.slice(names.length - parts.length + searched + 1))
    if (fits) like.push(...files)
  }
  return like
}

function fitsNames(parts: readonly Form[], names: readonly string[]): boolean {
  return parts.length === names.length && parts.every((part, at) => mayMatchName(part, names[at] ?? ''))
}

export interface FilePlace extends PathContext {
  readonly files: LineFiles
  readonly readNow?: ((path: string) => string | undefined) | undefined
}

/** The texts a file of the line may hold; undefined when one of them is not known, or it is no such file. */
export function knownTextAt(word: Word, place: FilePlace): readonly Form[] | undefined {
  const files = fileAt(word, place)
  if (files === undefined || files.some((file) => file.kind !== 'text')) return undefined
  return files.flatMap((file) => (file.kind === 'text' ? file.forms : []))
}

function appended(before: LineFile, more: LineFile): LineFile {
  if (before.kind !== 'text' || more.kind !== 'text') return { kind: 'unknown' }
  const forms = before.forms.flatMap((left) => more.forms.map((right) => concatForms(left, right)))
  return forms.length > 8 ? { kind: 'unknown' } : { kind: 'text', forms }
}

/** `/proc/self/fd/3` is `/dev/fd/3`. */
function descriptorName(piece: Piece): Piece {
  return piece.kind === 'text' && piece.text.startsWith('/proc/')
    ? { ...piece, text: piece.text.replace(/^\/proc\/(self|thread-self)\/fd\//, '/dev/fd/') }
    : piece
}

/** The same name at two places of a line is the same file, also where a part of it is not known (`"$T"/x.sh`). */
function pathKey(form: Form, place: PathContext): string {
  const path = resolveForm(form.map(descriptorName), place)
  const parts = path.parts.map((part) => part.map((piece) => piece.text).join(''))
  return `${path.anchored ? '' : '?'}/${parts.join('/')}`
}
