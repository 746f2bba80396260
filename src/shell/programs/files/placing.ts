import { isSet, type OptionText, type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import { fileAt, filesBelow, type LineFile, putFile } from '../../expand/line-files.ts'
import type { Shell } from '../../expand/state.ts'
import { type FileEffect, type FileName, namedFiles } from '../../vocabulary/effect.ts'
import { findsIn } from '../../words/found.ts'
import { baseName } from '../../words/paths.ts'
import { lastPart } from '../../words/patterns.ts'
import { concatForms, exactForm, exactText, exactWord, textPiece, type Word } from '../../words/words.ts'
import type { ProgramCall } from '../program.ts'
import { isInert } from './inert.ts'

/** What the programs have in common that put files somewhere: cp, mv, ln, install. */

export const PLACING_OPTIONS = `
  t|target-directory= T|no-target-directory S|suffix= b backup=? f|force i|interactive n|no-clobber u update=?
  v|verbose Z context=? help version debug
`

export interface Placed {
  readonly read: ReadOptions
  readonly sources: readonly Word[]
  readonly target: Word
  readonly written: readonly FileEffect[]
}

export interface Placing {
  /** With one operand it is put here. */
  readonly alone?: boolean
  /** It takes away everything in the folder in whose place it is put. */
  readonly replaces?: (read: ReadOptions) => boolean
}

/** What is put where; undefined where nothing is. */
export function placed(
  { command }: ProgramCall,
  options: OptionText,
  { alone = false, replaces = () => false }: Placing = {},
): Placed | undefined {
  const read = readOptions(command.args, options)
  if (isInert(read)) return undefined
  const [folder] = valuesOf(read, 'target-directory')
  const here = alone && read.operands.length === 1
  const sources = folder === undefined && !here ? read.operands.slice(0, -1) : read.operands
  const target = folder ?? (here ? exactWord('.') : read.operands.at(-1))
  if (target === undefined || sources.length === 0) return undefined
  const intoFolder =
    folder !== undefined || here || sources.length > 1 || /(^|\/)\.{0,2}$/.test(exactText(target) ?? 'x')
  const asNamed = isSet(read, 'no-target-directory')
  const recursive = replaces(read) || isSet(read, 'recursive') || isSet(read, 'archive')
  const placedAs = intoFolder && !asNamed
  const made = placedAs
    ? sources.flatMap((source) => into(target, source, command.cwd))
    : namedFiles(target, command.cwd)
  const perhaps =
    placedAs || recursive || asNamed
      ? []
      : sources.flatMap((source) => maybeInto(target, source, command.cwd))
  const written = [
    ...made.map((file): FileEffect => ({ kind: 'write', ...file, ...(recursive ? { recursive } : {}) })),
    ...perhaps,
  ]
  return { read, sources, target, written }
}

/** Not deleted, but gone from its place, with everything below it. */
export function takenAway(word: Word, cwd: string | undefined): readonly FileEffect[] {
  return namedFiles(word, cwd).map((file): FileEffect => {
    // What `find` picked by its name goes one by one, not the folder it looked in.
    const picked = findsIn(file.form)?.narrowed === true
    return { kind: 'write', ...file, ...(picked ? { narrowed: true } : { recursive: true }) }
  })
}

/** `cp settings.json ~/.claude`: the target may be a folder. Only folders that are known by their names are looked at. */
function maybeInto(target: Word, source: Word, cwd: string | undefined): readonly FileEffect[] {
  if (!target.forms.some((form) => FOLDERS.test(exactForm(lastPart(form)) ?? ''))) return []
  return into(target, source, cwd).map((file): FileEffect => ({ kind: 'write', ...file }))
}

/** No file has such a name. */
const FOLDERS =
  /^(?:\.(?:claude|codex|gemini|qwen|cursor|factory|grok|copilot|codebuddy|kimi-code|opencode|kilo|pi|agents|holdpoint|ssh|gnupg|aws|kube|docker|github|vscode|husky|config)|holdpoint|hooks|bin|sbin|etc|cron\.(?:d|daily|hourly)|sudoers\.d|autostart|systemd|LaunchAgents|LaunchDaemons|opencode|plugins?|extensions)$/

/** More than this and only the folder itself is said. */
const PAIRS_MAX = 16

function into(folder: Word, source: Word, cwd: string | undefined): readonly FileName[] {
  if (folder.forms.length * source.forms.length > PAIRS_MAX) return namedFiles(folder, cwd)
  const forms = folder.forms.flatMap((target) =>
    source.forms.map((form) => concatForms(target, [textPiece('/')], lastPart(form))),
  )
  return namedFiles({ ...folder, forms }, cwd)
}

const TRANSFER = 't|target-directory= m|mode= o|owner= g|group= S|suffix='
const SOURCES_MAX = 8

/** A copy, a move or a link: the new name is what the old one was. A program that was there before is known by its name. */
export function leavesCopies(args: readonly Word[], shell: Shell): void {
  const read = readOptions(args, TRANSFER)
  const folder = valuesOf(read, 'target-directory').at(-1)
  const sources = folder === undefined ? read.operands.slice(0, -1) : read.operands
  const target = folder ?? read.operands.at(-1)
  if (target === undefined || sources.length > SOURCES_MAX) return
  for (const source of sources) {
    const name = exactText(source)
    if (shell.files.size > 0) copyFolder(source, target, shell)
    for (const file of fileAt(source, shell) ?? programAt(source) ?? []) {
      if (sources.length === 1) putFile(shell, target, file)
      // The target may be a folder: then the file keeps its name in it.
      if (name !== undefined) putFile(shell, below(target, baseName(name)), file)
    }
  }
}

/** `cp -r a b`: what is in `a` is then in `b`, or in `b/a` if there is a `b`. */
export function copyFolder(source: Word, target: Word, shell: Shell): void {
  const name = baseName((exactText(source) ?? '').replace(/\/+$/, ''))
  for (const { rest, files } of filesBelow(source, shell)) {
    for (const file of files) {
      putFile(shell, below(target, rest), file)
      if (name !== '' && name !== '.') putFile(shell, below(target, `${name}/${rest}`), file)
    }
  }
}

function below(folder: Word, name: string): Word {
  return { ...folder, forms: folder.forms.map((form) => concatForms(form, [textPiece(`/${name}`)])) }
}

const PROGRAM = /^\/(?:usr\/(?:local\/)?)?s?bin\/[\w.+-]+$/
const LOOKED_UP = /^["']?(?:\$\(|`)\s*(?:which|command\s+-v|type\s+-[pP])\s/

function programAt(source: Word): readonly LineFile[] | undefined {
  const isProgram = PROGRAM.test(exactText(source) ?? '') || LOOKED_UP.test(source.source)
  return isProgram ? [{ kind: 'program', word: source }] : undefined
}
