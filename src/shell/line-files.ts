import { type Place, resolveForm } from './paths.ts'
import type { Shell } from './state.ts'
import { concatForms, type Form, type Piece, type Word } from './words.ts'

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
  const found = word.forms.flatMap((form) => place.files.get(pathKey(form, place)) ?? [])
  return found.length === 0 ? undefined : found
}

export interface FilePlace extends Place {
  readonly files: LineFiles
}

/** The texts a file of the line may hold; undefined when one of them is not known, or it is no such file. */
export function textAt(word: Word, place: FilePlace): readonly Form[] | undefined {
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
function pathKey(form: Form, place: Place): string {
  const path = resolveForm(form.map(descriptorName), place)
  const parts = path.parts.map((part) => part.map((piece) => piece.text).join(''))
  return `${path.anchored ? '' : '?'}/${parts.join('/')}`
}
