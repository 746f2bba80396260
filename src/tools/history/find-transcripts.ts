import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { InstallPlaces } from '../../core/host.ts'
import { isObject } from '../../core/json.ts'
import type { TranscriptReader } from '../../core/transcript.ts'
import { sessionsIn } from './database.ts'
import { linesOf } from './lines.ts'
import { SESSION_MARK } from './read-transcript.ts'

export interface TranscriptFile {
  readonly host: string
  /** Absolute. */
  readonly file: string
  /** Below its root. */
  readonly path: string
  readonly session: string
  readonly bytes: number
}

/** The files of one session, which are read together. */
export interface TranscriptSession {
  readonly host: string
  readonly session: string
  readonly files: readonly TranscriptFile[]
  readonly bytes: number
}

export interface FoundTranscripts {
  readonly sessions: readonly TranscriptSession[]
  /** Links and folders that were not entered. */
  readonly skipped: number
}

export interface FindOptions {
  readonly places: InstallPlaces
  /** Files that were not changed since hold nothing newer. */
  readonly sinceMs?: number
}

const DEPTH_MAX = 8
const FILES_MAX = 1_000_000
const FIRST_LINE_MAX_BYTES = 1024 * 1024

/** Looks below the folders that the readers name. No link is followed, so no path leaves its root. */
export function findTranscripts(
  readers: readonly TranscriptReader[],
  { places, sinceMs = 0 }: FindOptions,
): FoundTranscripts {
  const found = new Map<string, TranscriptFile[]>()
  const walk = { skipped: 0, files: 0 }
  for (const reader of readers) {
    for (const root of reader.roots(places)) {
      const real = realFolder(root)
      if (real === undefined) continue
      for (const path of pathsBelow(real, '', 0, walk)) {
        const named = reader.sessionAt(path)
        if (named === undefined) continue
        const place = { reader, file: join(real, path), path, named, sinceMs }
        for (const entry of typeof reader.format === 'object' ? databaseFiles(place) : plainFiles(place)) {
          const key = JSON.stringify([reader.host, entry.session])
          found.set(key, [...(found.get(key) ?? []), entry])
        }
      }
    }
  }
  const sessions = [...found.values()]
    .map((each) => each.sort(compareFiles))
    .map((files) => ({
      host: files[0]?.host ?? '',
      session: files[0]?.session ?? '',
      files,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    }))
  return { sessions, skipped: walk.skipped }
}

interface FoundFile {
  readonly reader: TranscriptReader
  readonly file: string
  readonly path: string
  readonly named: string
  readonly sinceMs: number
}

function plainFiles({ reader, file, path, named, sinceMs }: FoundFile): readonly TranscriptFile[] {
  const info = lstatSync(file, { throwIfNoEntry: false })
  if (info === undefined || !info.isFile() || info.mtimeMs < sinceMs || info.size === 0) return []
  return [{ host: reader.host, file, path, session: sessionIn(file, reader) ?? named, bytes: info.size }]
}

/** Every session of a database counts as a file. One that cannot be opened is one file, so that it is counted as unread. */
function databaseFiles({ reader, file, path, named, sinceMs }: FoundFile): readonly TranscriptFile[] {
  const { host, format } = reader
  if (typeof format !== 'object') return []
  try {
    return sessionsIn(file, format)
      .filter(({ changedMs }) => changedMs >= sinceMs)
      .map(({ session, bytes }) => ({ host, file, path: `${path}${SESSION_MARK}${session}`, session, bytes }))
  } catch {
    return [{ host, file, path, session: named, bytes: 0 }]
  }
}

/** The session's own file lies above those of its sub-agents, or was begun before them. */
function compareFiles(a: TranscriptFile, b: TranscriptFile): number {
  return a.path.split('/').length - b.path.split('/').length || (a.path < b.path ? -1 : 1)
}

/** The root itself may be a link: people move their settings elsewhere. */
function realFolder(root: string): string | undefined {
  try {
    return realpathSync(root)
  } catch {
    return undefined
  }
}

function* pathsBelow(
  root: string,
  below: string,
  depth: number,
  walk: { skipped: number; files: number },
): Generator<string> {
  for (const entry of entriesIn(join(root, below), walk)) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) {
      if (depth >= DEPTH_MAX) walk.skipped += 1
      else yield* pathsBelow(root, path, depth + 1, walk)
    } else if (!entry.isFile() || walk.files >= FILES_MAX) walk.skipped += 1
    else {
      walk.files += 1
      yield path
    }
  }
}

function entriesIn(folder: string, walk: { skipped: number }): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    walk.skipped += 1
    return []
  }
}

/** Only where the path does not say it: opening every file would cost more than finding them. */
function sessionIn(file: string, reader: TranscriptReader): string | undefined {
  if (reader.sessionIn === undefined || reader.format !== 'jsonl') return undefined
  try {
    for (const line of linesOf(file, { lineMaxBytes: FIRST_LINE_MAX_BYTES })) {
      const value: unknown = line.kind === 'line' ? JSON.parse(line.text) : undefined
      return isObject(value) ? reader.sessionIn(value) : undefined
    }
  } catch {
    // The file is read, and counted, later.
  }
  return undefined
}
