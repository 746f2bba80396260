import { fstatSync, readSync, type Stats, writeSync } from 'node:fs'
import { isObject, type Json } from '../../core/json.ts'
import { decodeCommit } from '../../core/state/commit.ts'
import { emptySession, type FoldedSession, foldCommits } from '../../core/state/fold.ts'
import { decodeSnapshot } from '../../core/state/snapshot.ts'
import type { Commit } from '../../core/state/state.ts'

/** One append-only file of commits: how it is read, and how a line is added. */

const READ_BYTES_MAX = 16 * 1024 * 1024
/** Less than the limit for reading, so that writers that check at the same time do not make the file unreadable. */
const WRITE_BYTES_MAX = 12 * 1024 * 1024
const NEWLINE = 10

/** How far the file was read, and the state up to there. */
export interface Folded {
  readonly path: string
  readonly inode: number
  /** Inode numbers are used again after a deletion; the creation time is not. */
  readonly bornMs: number
  readonly offset: number
  /** The size of its snapshot. */
  readonly snapshotBytes: number
  readonly state: FoldedSession
  /** Nothing after this point counts: the session continues in the next file. */
  readonly sealed: boolean
  /** The number of the file to which the session has moved. */
  readonly movedTo: number | undefined
}

export interface CaughtUp {
  readonly folded: Folded
  readonly commits: readonly Commit[]
  readonly applied: ReadonlySet<string>
}

/** Adds what was appended since `known`. Reads everything if it is another file, or shorter. */
export function catchUp(file: number, path: string, known: Folded | undefined): CaughtUp {
  const stat = checked(fstatSync(file))
  const continues = known !== undefined && isSameFile(known, path, stat) && known.offset <= stat.size
  const start = continues ? known : newlyOpened(path, stat)
  const bytes = readRange(file, start.offset, stat.size)
  // The text after the last newline is still being written, or incomplete: the next writer ends it.
  const length = bytes.lastIndexOf(NEWLINE) + 1
  const said = start.sealed ? NOTHING_SAID : linesIn(bytes.toString('utf8', 0, length))
  const base = said.snapshot ?? start.state
  const { state, applied } = foldCommits(base, said.commits)
  const folded: Folded = {
    ...start,
    offset: start.offset + length,
    snapshotBytes: said.snapshot === undefined ? start.snapshotBytes : said.snapshotBytes,
    state: said.garbage && !state.damaged ? { ...state, damaged: true } : state,
    sealed: start.sealed || said.sealed,
    movedTo: start.movedTo ?? said.movedTo,
  }
  return { folded, commits: said.commits, applied }
}

function newlyOpened(path: string, stat: Stats): Folded {
  return {
    ...{ path, inode: stat.ino, bornMs: stat.birthtimeMs, offset: 0, snapshotBytes: 0 },
    ...{ state: emptySession(), sealed: false, movedTo: undefined },
  }
}

function isSameFile(known: Folded, path: string, stat: Stats): boolean {
  return known.path === path && known.inode === stat.ino && known.bornMs === stat.birthtimeMs
}

/** The file is only appended to, so one with the same length is unchanged. */
export function isUnchanged(known: Folded, stat: Stats): boolean {
  return isSameFile(known, known.path, stat) && known.offset === stat.size && stat.isFile()
}

interface Said {
  readonly commits: readonly Commit[]
  readonly snapshot?: FoldedSession
  readonly snapshotBytes: number
  readonly garbage: boolean
  readonly sealed: boolean
  readonly movedTo?: number
}

const NOTHING_SAID: Said = { commits: [], snapshotBytes: 0, garbage: false, sealed: false }

export const SEAL = '{"seal":true}'
export const snapshotLine = (snapshot: Json) => `{"snapshot":${JSON.stringify(snapshot)}}`
export const movedLine = (number: number) => `{"moved":${number}}`

function linesIn(text: string): Said {
  const commits: Commit[] = []
  let said = NOTHING_SAID
  for (const line of text.split('\n')) {
    if (line === '') continue
    if (line === SEAL) return { ...said, commits, sealed: true }
    const mark = /^\{"(?:snapshot|moved)":/.test(line) ? markIn(line) : undefined
    if (mark?.movedTo !== undefined) return { ...said, commits, movedTo: mark.movedTo }
    if (mark !== undefined) said = { ...said, ...mark }
    else {
      const commit = decodeCommit(line)
      if (commit === 'garbage') said = { ...said, garbage: true }
      else if (commit !== 'torn') commits.push(commit)
    }
  }
  return { ...said, commits }
}

function markIn(line: string): Partial<Said> | undefined {
  let value: Json
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  if (Number.isSafeInteger(value.moved)) return { movedTo: Number(value.moved) }
  const snapshot = decodeSnapshot(value.snapshot)
  return snapshot === undefined ? undefined : { snapshot, snapshotBytes: Buffer.byteLength(line) }
}

/** One write, with a newline on both sides: the first one ends a line that another writer could not complete. */
export function appendSessionLine(file: number, line: string): void {
  const bytes = Buffer.from(`\n${line}\n`)
  const stat = checked(fstatSync(file))
  if (stat.size + bytes.length > WRITE_BYTES_MAX) {
    throw new Error(`the session has ${stat.size} bytes of state, the most that is kept; start a new session`)
  }
  const written = writeSync(file, bytes)
  if (written !== bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`)
}

function checked(stat: Stats): Stats {
  if (!stat.isFile()) throw new Error('not a plain file')
  if (stat.size > READ_BYTES_MAX) {
    throw new Error(`the file has ${stat.size} bytes; at most ${READ_BYTES_MAX} are read`)
  }
  return stat
}

function readRange(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from)
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(file, bytes, filled, bytes.length - filled, from + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
