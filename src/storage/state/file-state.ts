import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { bad, type ErrorCode, good, type Result } from '../../core/errors.ts'
import { fingerprint } from '../../core/fingerprint.ts'
import { encodeCommit } from '../../core/state/commit.ts'
import { emptySession } from '../../core/state/fold.ts'
import type { StateStore } from '../../core/state/state.ts'
import { generationPath, makeNext } from './generations.ts'
import { appendSessionLine, type CaughtUp, catchUp, type Folded, isUnchanged, SEAL } from './session-log.ts'

/**
 * The state on disk: append-only files for each session, which all processes of the user share without a lock. A commit is
 * one O_APPEND write. Its result is read back from the file: the first claim of a version wins. Hooks use this, so all
 * calls are synchronous and never throw.
 */

const CACHED_SESSIONS_MAX = 100
const SUFFIX = '.session.jsonl'
/** From this size on, a session continues in a new file. */
const COMPACT_BYTES = 1024 * 1024
/** A snapshot is worth its cost only if it replaces many commits. */
const SNAPSHOTS_PER_FILE = 4
/** The number of files that one call follows or creates. Other processes may be faster, but not forever. */
const HOPS_MAX = 1_000

// A link or a pipe instead of the file must fail, not lead elsewhere or block. Not available on Windows.
const OPEN_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export interface FileStateOptions {
  /** The size from which a session continues in a new file. */
  readonly compactBytes?: number
}

export function createFileState(
  folder: string,
  { compactBytes = COMPACT_BYTES }: FileStateOptions = {},
): StateStore {
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
        const known = cache.get(path)
        const found = lstatSync(known?.path ?? path, { throwIfNoEntry: false })
        // Most sessions have nothing to remember, and most events find the state of the last one.
        if (found === undefined && known === undefined) return emptySession()
        if (known !== undefined && found !== undefined && isUnchanged(known, found)) return known.state
        const caught = follow(path, known, openExisting, ({ caught }) => caught)
        if (caught === undefined) {
          cache.delete(path)
          return emptySession()
        }
        remember(path, caught.folded)
        return caught.folded.state
      })
    },

    commit(session, commit) {
      const line = encodeCommit(commit)
      if (!line.ok) return line
      const path = pathOf(folder, session)
      return attempt('STATE_UNWRITABLE', path, () => {
        const written = follow(
          path,
          cache.get(path),
          (file) => openForAppend(folder, file),
          (open) => {
            appendSessionLine(open.file, line.value)
            const caught = catchUp(open.file, open.path, open.caught.folded)
            const isThere = caught.commits.some(({ nonce }) => nonce === commit.nonce)
            // The file was sealed meanwhile: the line is after the seal, and is written again in the next file.
            if (!isThere && caught.folded.sealed) return undefined
            if (!isThere) throw new Error('what was written could not be found again')
            compact(path, open, caught)
            return caught
          },
        )
        if (written === undefined)
          throw new Error('the session moves to new files faster than it can be followed')
        remember(path, written.folded)
        return { applied: written.applied.has(commit.nonce), state: written.folded.state }
      })
    },
  }

  /** A failure here loses nothing: the commit is stored, and the next one tries again. */
  function compact(path: string, { file, number }: OpenSession, { folded }: CaughtUp): void {
    if (folded.sealed || folded.offset < Math.max(compactBytes, SNAPSHOTS_PER_FILE * folded.snapshotBytes))
      return
    try {
      appendSessionLine(file, SEAL)
      const { folded: last } = catchUp(file, folded.path, folded)
      if (last.sealed) makeNext(path, number, last.state)
    } catch {
      // The next reader of the seal creates the file.
    }
  }
}

/** The current file of the session. */
interface OpenSession {
  readonly file: number
  readonly path: string
  readonly number: number
  readonly caught: CaughtUp
}

/**
 * Opens the current file of the session, through all files from which it has moved, and uses it. If `use` returns
 * undefined, the file was sealed meanwhile, and the next one is tried. Undefined: there is no session.
 */
function follow<T>(
  path: string,
  known: Folded | undefined,
  open: (path: string) => number | undefined,
  use: (session: OpenSession) => T | undefined,
): T | undefined {
  let number = known === undefined ? 0 : numberOf(path, known.path)
  for (let hop = 0; hop < HOPS_MAX; hop += 1) {
    const current = generationPath(path, number)
    const file = number === 0 ? open(path) : openAgain(current, open)
    if (file === undefined) {
      if (number === 0) return undefined
      number = 0
      known = undefined
      continue
    }
    try {
      const caught = catchUp(file, current, known)
      const { movedTo, sealed, state } = caught.folded
      if (movedTo !== undefined) number = movedTo
      else if (!sealed) {
        const used = use({ file, path: current, number, caught })
        if (used !== undefined) return used
      } else {
        makeNext(path, number, state)
        number += 1
      }
    } finally {
      closeSync(file)
    }
  }
  throw new Error(`the session moved more than ${HOPS_MAX} times`)
}

/** Opening must not create a later file: without its snapshot it would be an empty session. */
function openAgain(path: string, open: (path: string) => number | undefined): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : open(path)
}

function numberOf(path: string, current: string): number {
  if (path === current) return 0
  return Number(/\.(\d+)\.session\.jsonl$/.exec(current)?.[1] ?? 0)
}

/** A session can be resumed for this long. */
const SESSIONS_KEPT_DAYS = 30

/** Deletes the sessions that were not used for a month. Returns how many there were. */
export function forgetSessions(folder: string, now: Date): Result<number> {
  const oldestMs = now.getTime() - SESSIONS_KEPT_DAYS * 24 * 60 * 60 * 1000
  return attempt('STATE_UNREADABLE', folder, () => {
    const sessions = new Map<string, string[]>()
    for (const name of namesIn(folder)) {
      const session = /^([^.]+)(?:\.\d+)?\.session\.jsonl(?:\.\w+)?$/.exec(name)?.[1]
      if (session !== undefined)
        sessions.set(session, [...(sessions.get(session) ?? []), `${folder}/${name}`])
    }
    let forgotten = 0
    for (const paths of sessions.values()) {
      const isOld = (path: string) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < oldestMs
      if (!paths.every(isOld)) continue
      for (const path of paths) rmSync(path, { recursive: true, force: true })
      forgotten++
    }
    return forgotten
  })
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
 * Session ids come from outside and may contain anything. A plain one is a safe file name, also on systems that ignore
 * case. Any other is written in hex, and a long one ends with a fingerprint. Loading a real hash would slow down every
 * event.
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
