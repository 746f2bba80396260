import type { Event } from '../../core/event.ts'
import { wordSet } from '../../core/word-list.ts'
import type { Access, Touch } from '../../policy/analysis/touched-paths.ts'
import type { SimpleCommand } from '../../shell/vocabulary/command.ts'
import { resolveForm } from '../../shell/words/paths.ts'
import { exactForm, exactText, type Form, hasUnknown } from '../../shell/words/words.ts'

/** A path that a call uses, prepared for many rules. */
export interface TouchedPath {
  /** As written, and the target if it is a link. Empty: any path, it is unknown which. */
  readonly spots: readonly Spot[]
  readonly access: Access
  /** What is below it is reached too. */
  readonly recursive: boolean
  /** The tables say that it is read, but the command line says that it is written. */
  readonly mayWrite: boolean
  /** It is not certain that the contents are used. */
  readonly unsure: boolean
  /** The program or one of its words is unknown: the path may be plain text, or the value of an option. */
  readonly doubtful: boolean
  readonly shown: string
}

export interface Spot {
  readonly parts: readonly Form[]
  /** The parts before the last one are unknown. */
  readonly loose: boolean
  /** The whole path, if all of it is known. */
  readonly path?: string
}

type Realpath = (path: string) => string

export function touchedPathsOf(
  touches: readonly Touch[],
  commands: readonly SimpleCommand[],
  event: Event,
  realpath: Realpath,
): readonly TouchedPath[] {
  const byFragment = groupByFragment(commands)
  const touched = touches.map((touch): TouchedPath => {
    const makers = byFragment.get(touch.fragment) ?? []
    return {
      spots: spotsOf(touch, realpath),
      access: touch.access === 'metadata' && makers.some(changesMetadata) ? 'write' : touch.access,
      recursive: makers.length === 0 ? isSearched(touch, event) : touch.path.folder || makers.some(recurses),
      mayWrite: makers.some(saysItWrites),
      unsure: touch.unsure !== undefined,
      doubtful: makers.some(isHalfKnown),
      shown: touch.source,
    }
  })
  const opaque = commands.filter((command) => command.opaque !== undefined)
  return [...touched, ...opaque.map(anyPlace), ...namedFile(event, realpath)]
}

/** The limit of the system. A longer text is not a path. */
const PATH_MAX_CHARACTERS = 4096

function groupByFragment(commands: readonly SimpleCommand[]): ReadonlyMap<string, readonly SimpleCommand[]> {
  const groups = new Map<string, SimpleCommand[]>()
  for (const command of commands) {
    const group = groups.get(command.fragment)
    if (group === undefined) groups.set(command.fragment, [command])
    else group.push(command)
  }
  return groups
}

function spotsOf(touch: Touch, realpath: Realpath): readonly Spot[] {
  const { parts, anchored } = touch.path
  if (touch.source.length > PATH_MAX_CHARACTERS) return []
  const loose = !anchored || touch.pattern !== undefined || parts.some(spansFolders)
  const names = parts.map(exactForm)
  if (loose || names.includes(undefined)) return [{ parts: parts.map(composed), loose }]
  const written = `/${names.join('/')}`
  const real = realpath(written)
  const spot = exactSpot(written)
  return real === written ? [spot] : [spot, exactSpot(real)]
}

/** A path that is known from the root. */
export function exactSpot(path: string): Spot {
  const { parts } = resolveForm([{ kind: 'text', text: path.normalize('NFC') }], { cwd: '/', home: '/' })
  return { parts, loose: false, path: `/${parts.map((part) => exactForm(part) ?? '').join('/')}` }
}

/** Unicode-normalised like the globs, because one name can be written in two ways. */
function composed(part: Form): Form {
  return part.map((piece) => ({ ...piece, text: piece.text.normalize('NFC') }))
}

/** A variable may contain slashes, and `..` that remove the parts before it. */
function spansFolders(part: Form): boolean {
  return part.some((piece) => piece.kind === 'unknown' || piece.text.includes('**'))
}

function isHalfKnown(command: SimpleCommand): boolean {
  return command.name === undefined || command.args.some((word) => word.splits || word.forms.some(hasUnknown))
}

/** A search reads a whole folder. A name with an extension counts as a file. */
function isSearched(touch: Touch, event: Event): boolean {
  const name = exactForm(touch.path.parts.at(-1) ?? [])
  return (
    'tool' in event &&
    event.tool.name === 'Grep' &&
    touch.pattern === undefined &&
    !/.\.\w+$/.test(name ?? '')
  )
}

const RECURSIVE_PROGRAMS = wordSet('rg ag ack tar zip rsync tree find fd 7z')
const RECURSIVE_FLAG =
  /^(?:-[A-Za-z]*[rRa][A-Za-z]*|--recursive|--archive|--recurse.*|--dereference-recursive)$/

function recurses(command: SimpleCommand): boolean {
  return RECURSIVE_PROGRAMS.has(command.name ?? '') || hasFlag(command, RECURSIVE_FLAG)
}

const METADATA_CHANGERS = new Set(['mkdir', 'chmod', 'chown', 'chgrp', 'chattr', 'setfacl'])

function changesMetadata(command: SimpleCommand): boolean {
  return METADATA_CHANGERS.has(command.name ?? '')
}

/**
 * `sed -i`, `prettier --write`, `eslint --fix`, `find -delete`: options with which programs change the files
 * they read.
 */
const WRITING_FLAG =
  /^(?:-i|-i[.~].*|-[A-Za-z]*i[A-Za-z]*|--in-?place.*|--write.*|-w|--fix.*|-fix|--overwrite.*|--output.*|-o|-delete|--delete.*|--remove.*|--apply|--format)$/

function saysItWrites(command: SimpleCommand): boolean {
  return hasFlag(command, command.name === 'grep' || command.name === 'rg' ? NOTHING : WRITING_FLAG)
}

/** `-i` of a search only ignores case. */
const NOTHING = /^(?!)$/

function hasFlag(command: SimpleCommand, flag: RegExp): boolean {
  return command.args.some((word) => {
    const text = exactText(word)
    return text?.startsWith('-') === true && text.length < 64 && flag.test(text)
  })
}

function anyPlace(command: SimpleCommand): TouchedPath {
  return {
    spots: [],
    access: 'read',
    recursive: true,
    mayWrite: true,
    unsure: true,
    doubtful: true,
    shown: command.fragment,
  }
}

/** Some events are about one file without being a call. */
function namedFile(event: Event, realpath: Realpath): readonly TouchedPath[] {
  const file = 'file' in event ? event.file : undefined
  if (file === undefined || file === '') return []
  const path = resolveForm([{ kind: 'text', text: file }], { cwd: event.cwd, home: '/' })
  const access = event.kind === 'InstructionsLoaded' ? 'read' : 'write'
  const touch: Touch = { path, source: file, access, fragment: file }
  return [
    {
      spots: spotsOf(touch, realpath),
      access,
      recursive: false,
      mayWrite: false,
      unsure: false,
      doubtful: false,
      shown: file,
    },
  ]
}
