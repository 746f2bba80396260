import { readOptions, valuesOf } from '../../arguments/options.ts'
import { baseName } from '../../words/paths.ts'
import { namesMatching } from '../../words/regex-names.ts'
import {
  concatForms,
  eachText,
  exactForm,
  exactText,
  type Form,
  patternForm,
  textForm,
  textPiece,
  type Word,
} from '../../words/words.ts'
import { lookedUp } from '../aspects/looked-up.ts'
import type { ProgramTable } from '../program.ts'

/** Programs that say something about files, or about their names: never what is in them. */
export const INSPECTING: ProgramTable = {
  ls: { files: { operands: 'metadata' }, prints: listedNames },
  mktemp: { files: { operands: 'metadata' }, prints: temporaryName },
  realpath: { files: { operands: 'metadata' }, prints: (args) => args.at(-1)?.forms },
  readlink: {
    files: { operands: 'metadata' },
    prints: (args) => (/^-[fem]+$/.test(exactText(args[0]) ?? '') ? args.at(-1)?.forms : undefined),
  },
  basename: {
    files: { operands: 'none' },
    prints: (args) => eachText(args[0]?.forms ?? [], (text) => cutSuffix(baseName(text), exactText(args[1]))),
  },
  dirname: { files: { operands: 'none' }, prints: (args) => args[0]?.forms.map(folderForm) },
  which: { files: { operands: 'none' }, prints: (args, scope) => lookedUp(args.at(-1), scope) },
  'll exa eza tree stat df test [ mkdir lsattr getfacl lsof md5sum sha1sum sha256sum sha512sum shasum cksum':
    { files: { operands: 'metadata' } },
  file: { files: { operands: 'metadata', quotes: /^(?:-f|--files-from)$/ } },
  'wc du': { files: { operands: 'metadata', quotes: /^--files0-from$/ } },
  locate: { files: { operands: 'metadata' }, lists: ({ args }) => locatedNames(args) },
  'plocate mlocate mdfind': { lists: ({ args }) => locatedNames(args) },
  'subl xdg-open': { files: { operands: 'metadata' } },
}

/** `ls .env` prints its name, or what is in it where it is a folder. */
function listedNames(args: readonly Word[]): readonly Form[] | undefined {
  const operands = args.filter((word) => !/^-[1dtrAa]+$/.test(exactText(word) ?? ''))
  const [only] = operands
  if (only === undefined) return hereNames(args)
  if (operands.length > 1 || /^-/.test(only.source)) return undefined
  // A name with an ending is hardly a folder; one that begins with a dot may well be.
  const asIs = args.some((word) => /^-\w*d/.test(exactText(word) ?? ''))
  if (asIs) return only.forms
  const isFile = only.forms.every((form) => /[^/]\.\w+$/.test(form.at(-1)?.text ?? ''))
  return isFile ? only.forms : [...only.forms, [{ kind: 'unknown', text: 'what is in it' }]]
}

/** Who lists names with a leading dot may mean one of those. */
function hereNames(args: readonly Word[]): readonly Form[] | undefined {
  const all = args.some((word) => /^-\w*[aA]/.test(exactText(word) ?? ''))
  return all ? [[ANY], [textPiece('.'), ANY]] : undefined
}

const ANY = { kind: 'glob', text: '*' } as const
const MKTEMP = 'p= tmpdir=? suffix= t d|directory u|dry-run q|quiet'

/** The template stands for the name: what the X become is nobody's concern. */
function temporaryName(args: readonly Word[]): readonly Form[] | undefined {
  const read = readOptions(args, MKTEMP)
  const [template] = read.operands
  const placed = read.options.some((option) => ['t', 'p', 'tmpdir'].includes(option.name))
  const folder = valuesOf(read, 'p', 'tmpdir')[0]?.forms[0] ?? textForm('/tmp')
  if (template === undefined) return [concatForms(folder, textForm('/tmp.XXXXXXXXXX'))]
  return placed ? template.forms.map((form) => concatForms(folder, textForm('/'), form)) : template.forms
}

function cutSuffix(name: string, suffix: string | undefined): string {
  return suffix !== undefined && name.endsWith(suffix) && name !== suffix
    ? name.slice(0, -suffix.length)
    : name
}

/** Also of a path of which only a part is known: `dirname "$X/y"`. */
function folderForm(form: Form): Form {
  const text = exactForm(form)
  if (text !== undefined) return textForm(folderOf(text))
  const at = form.findLastIndex((piece) => piece.kind === 'text' && piece.text.includes('/'))
  const piece = form[at]
  if (piece === undefined) return [{ kind: 'unknown', text: 'dirname' }]
  return concatForms(form.slice(0, at), textForm(piece.text.slice(0, piece.text.lastIndexOf('/'))))
}

function folderOf(path: string): string {
  const folder = path.replace(/\/+[^/]*\/*$/, '')
  return folder === '' ? '/' : folder === path ? '.' : folder
}

const LOCATE = 'l|n|limit= d|database= r|regexp= regex= i b|basename c|count onlyin= name='

/** A part of the path, or a pattern for all of it. */
function locatedNames(args: readonly Word[]): readonly Form[] {
  const read = readOptions(args, LOCATE)
  if (read.options.some(({ name }) => name === 'count')) return []
  const plain = [...read.operands, ...valuesOf(read, 'name')].map((word) =>
    (exactText(word) ?? '').replace(/^\\/, ''),
  )
  const named = plain.flatMap((text) =>
    /[*?[]/.test(text)
      ? [patternForm(text.slice(text.lastIndexOf('/') + 1))]
      : namesMatching(text.replace(/[\\*+?{}()[\]|^$.]/g, '\\$&')),
  )
  return [
    ...named,
    ...valuesOf(read, 'regexp', 'regex').flatMap((word) => namesMatching(exactText(word) ?? '')),
  ]
}
