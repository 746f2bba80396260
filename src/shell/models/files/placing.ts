import { isSet, type OptionTable, optionTable, readOptions, valuesOf } from '../../arguments/options.ts'
import { type FileEffect, type FileName, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { findsIn } from '../../words/found.ts'
import { lastPart } from '../../words/patterns.ts'
import { concatForms, exactText, exactWord, textPiece, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { permissionAct } from '../permissions/acts.ts'
import { readMode } from '../permissions/modes.ts'
import { reached } from './reached.ts'
import { isInert } from './removing.ts'

const COMMON = `
  t|target-directory= T|no-target-directory S|suffix= b backup=? f|force i|interactive n|no-clobber u update=?
  v|verbose Z context=? help version debug
`

const TABLES: Readonly<Record<string, OptionTable>> = {
  cp: optionTable(
    COMMON,
    `
      a|archive r|R|recursive d p preserve=? no-preserve= P|no-dereference L H l s|symbolic-link
      x|one-file-system parents reflink=? sparse= c X attributes-only link dereference remove-destination
      strip-trailing-slashes copy-contents keep-directory-symlink
    `,
  ),
  mv: optionTable(COMMON, 'strip-trailing-slashes no-copy exchange h'),
  ln: optionTable(COMMON, 's|symbolic r|relative L|logical P|physical d|F|directory h|no-dereference w'),
  install: optionTable(`
    t|target-directory= T|no-target-directory S|suffix= b backup=? d|directory D c m|mode= o|owner= g|group=
    p|preserve-timestamps s|strip strip-program= v|verbose C|compare Z context=? help version
  `),
}

/** cp, mv, ln, install: what they put where; and mv takes its sources from their place. */
export function placed(call: ModelCall): readonly ShellEffect[] {
  const { name, command } = call
  const read = readOptions(command.args, TABLES[name] ?? optionTable(COMMON))
  if (isInert(read)) return []
  const [folder] = valuesOf(read, 'target-directory')
  if (name === 'install' && isSet(read, 'directory')) {
    return read.operands.flatMap((word) => writes(word, command.cwd))
  }
  const last = read.operands.at(-1)
  const alone = name === 'ln' && read.operands.length === 1
  const sources = folder === undefined && !alone ? read.operands.slice(0, -1) : read.operands
  const target = folder ?? (alone ? exactWord('.') : last)
  if (target === undefined || sources.length === 0) return []
  const intoFolder =
    folder !== undefined || alone || sources.length > 1 || /(^|\/)\.{0,2}$/.test(exactText(target) ?? 'x')
  const placedAs = intoFolder && !isSet(read, 'no-target-directory')
  const recursive = isSet(read, 'recursive') || isSet(read, 'archive')
  const made = placedAs
    ? sources.flatMap((source) => into(target, source, command.cwd))
    : namedFiles(target, command.cwd)
  const written = made.map(
    (file): FileEffect => ({ kind: 'write', ...file, ...(recursive ? { recursive } : {}) }),
  )
  // What is written over with nothing is gone.
  if (name === 'cp' && sources.every((word) => exactText(word) === '/dev/null'))
    return [...written, ...reached('delete', target, command.cwd, {})]
  if (name === 'install') return [...installedAs(valuesOf(read, 'mode').at(-1)), ...written]
  return name === 'mv' ? [...sources.flatMap((word) => takenAway(word, command.cwd)), ...written] : written
}

function installedAs(mode: Word | undefined): readonly ShellEffect[] {
  return readMode(exactText(mode) ?? '')?.setsUser === true ? [permissionAct('setuid')] : []
}

export function writes(word: Word, cwd: string | undefined): readonly FileEffect[] {
  return namedFiles(word, cwd).map((file): FileEffect => ({ kind: 'write', ...file }))
}

/** Not deleted, but gone from its place, with everything below it. */
export function takenAway(word: Word, cwd: string | undefined): readonly FileEffect[] {
  return namedFiles(word, cwd).map((file): FileEffect => {
    // What `find` picked by its name goes one by one, not the folder it looked in.
    const picked = findsIn(file.form)?.narrowed === true
    return { kind: 'write', ...file, ...(picked ? { narrowed: true } : { recursive: true }) }
  })
}

/** More than this and only the folder itself is said. */
const PAIRS_MAX = 16

function into(folder: Word, source: Word, cwd: string | undefined): readonly FileName[] {
  if (folder.forms.length * source.forms.length > PAIRS_MAX) return namedFiles(folder, cwd)
  const forms = folder.forms.flatMap((target) =>
    source.forms.map((form) => concatForms(target, [textPiece('/')], lastPart(form))),
  )
  return namedFiles({ ...folder, forms }, cwd)
}
