import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { bad, type ErrorCode, good, type Result } from '../errors.ts'
import { fingerprint } from '../plan.ts'
import { decodeCommit, encodeCommit } from './commit.ts'
import { emptySession, type FoldedSession, foldCommits } from './fold.ts'
import type { Commit, StateStore } from './state.ts'

/**
 * The state on disk: one append-only file per session, shared by every process of the user without a lock.
 * A commit is one O_APPEND write, and its fate is read back from the file, where the first claim wins.
 * On the hook path: sync calls only, and never an exception to the caller.
 */

const READ_BYTES_MAX = 16 * 1024 * 1024
/** Below what can be read, so that writers who checked at the same moment do not make the file unreadable. */
const WRITE_BYTES_MAX = 12 * 1024 * 1024
const CACHED_SESSIONS_MAX = 100
const SUFFIX = '.session.jsonl'
const NEWLINE = 10

// A link or a pipe in the place of the file must fail, not lead elsewhere or wait. Absent on Windows.
const OPEN_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export function createFileState(folder: string): StateStore {
  const cache = new Map<string, Folded>()

  function remember(path: string, folded: Folded): void {
    cache.delete(path)
    cache.set(path, folded)
    for (const oldest of cache.keys()) {
      if (cache.size <= CACHED_SESSIONS_MAX) break
      cache.delete(oldest)
    }
  }

  return {
    read(session) {
      const path = pathOf(folder, session)
      return attempt('STATE_UNREADABLE', path, () => {
        const found = lstatSync(path, { throwIfNoEntry: false })
        // Most sessions have nothing to remember, and most events find what the last one left.
        if (found === undefined) return emptySession()
        const known = cache.get(path)
        if (known !== undefined && isUnchanged(known, found)) return known.state
        const file = openExisting(path)
        if (file === undefined) return emptySession()
        try {
          const { folded } = catchUp(file, cache.get(path))
          remember(path, folded)
          return folded.state
        } finally {
          closeSync(file)
        }
      })
    },

    commit(session, commit) {
      const line = encodeCommit(commit)
      if (!line.ok) return line
      const path = pathOf(folder, session)
      return attempt('STATE_UNWRITABLE', path, () => {
        const file = openForAppend(folder, path)
        try {
          appendLine(file, line.value)
          const { folded, commits, applied } = catchUp(file, cache.get(path))
          remember(path, folded)
          if (!commits.some(({ nonce }) => nonce === commit.nonce)) {
            throw new Error('what was written could not be found again')
          }
          return { applied: applied.has(commit.nonce), state: folded.state }
        } finally {
          closeSync(file)
        }
      })
    },
  }
}

/** Deletes the sessions not touched for so many days, and says how many those were. */
export function forgetSessions(folder: string, olderThanDays: number, now: Date): Result<number> {
  const oldestMs = now.getTime() - olderThanDays * 24 * 60 * 60 * 1000
  return attempt('STATE_UNREADABLE', folder, () => {
    let forgotten = 0
    for (const name of namesIn(folder)) {
      if (!name.endsWith(SUFFIX)) continue
      const path = `${folder}/${name}`
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat === undefined || stat.mtimeMs >= oldestMs) continue
      rmSync(path, { force: true })
      forgotten++
    }
    return forgotten
  })
}

/** How far the file was read and what it said up to there. */
interface Folded {
  readonly inode: number
  /** Inode numbers are used again after a deletion; the time of birth is not. */
  readonly bornMs: number
  readonly offset: number
  readonly state: FoldedSession
}

interface CaughtUp {
  readonly folded: Folded
  readonly commits: readonly Commit[]
  readonly applied: ReadonlySet<string>
}

/** Folds what was appended since `known`; all of it when the file is another one, or shorter. */
function catchUp(file: number, known: Folded | undefined): CaughtUp {
  const stat = checked(fstatSync(file))
  const continues = known !== undefined && isSameFile(known, stat) && known.offset <= stat.size
  const start = continues
    ? known
    : { inode: stat.ino, bornMs: stat.birthtimeMs, offset: 0, state: emptySession() }
  const bytes = readRange(file, start.offset, stat.size)
  // What follows the last newline is still being written, or was torn: the next writer closes it.
  const length = bytes.lastIndexOf(NEWLINE) + 1
  const { commits, garbage } = linesIn(bytes.toString('utf8', 0, length))
  const { state, applied } = foldCommits(start.state, commits)
  const folded = {
    ...start,
    offset: start.offset + length,
    state: garbage && !state.damaged ? { ...state, damaged: true } : state,
  }
  return { folded, commits, applied }
}

function isSameFile(known: Folded, stat: Stats): boolean {
  return known.inode === stat.ino && known.bornMs === stat.birthtimeMs
}

/** It is only ever appended to: as long as it was is as it was. */
function isUnchanged(known: Folded, stat: Stats): boolean {
  return isSameFile(known, stat) && known.offset === stat.size && stat.isFile()
}

function linesIn(text: string): { readonly commits: readonly Commit[]; readonly garbage: boolean } {
  const commits: Commit[] = []
  let garbage = false
  for (const line of text.split('\n')) {
    if (line === '') continue
    const commit = decodeCommit(line)
    if (commit === 'garbage') garbage = true
    else if (commit !== 'torn') commits.push(commit)
  }
  return { commits, garbage }
}

/** One write, with a newline on both sides: the one in front closes what another writer left torn. */
function appendLine(file: number, line: string): void {
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

function openExisting(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | OPEN_FLAGS)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function openForAppend(folder: string, path: string): number {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | OPEN_FLAGS
  try {
    return openSync(path, flags, 0o600)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return openSync(path, flags, 0o600)
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/**
 * Session ids come from outside and may hold anything. A plain one is a safe name, also where case does not count;
 * any other is spelled in hex, and a long one ends in a fingerprint. Loading a real hash would cost every event.
 */
function pathOf(folder: string, session: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,79}$/.test(session)) return `${folder}/${session}${SUFFIX}`
  const hex = Buffer.from(session, 'utf8').toString('hex')
  const name = hex.length <= 160 ? hex : `${hex.slice(0, 128)}-${fingerprint(session)}${fingerprint(hex)}`
  return `${folder}/=${name}${SUFFIX}`
}

function attempt<T>(code: ErrorCode, path: string, work: () => T): Result<T> {
  try {
    return good(work())
  } catch (error) {
    const verb = code === 'STATE_UNREADABLE' ? 'read' : 'written'
    const reason = error instanceof Error ? error.message : String(error)
    return bad(code, `the session state ${path} could not be ${verb}: ${reason}`, { file: path })
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
