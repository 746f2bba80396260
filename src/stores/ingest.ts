import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, renameSync } from 'node:fs'
import { HoldpointError } from '../errors.ts'
import { parseRecord } from './record.ts'
import { LINE_BYTES_MAX, SPOOL } from './spool.ts'
import type { JournalRecord, Store } from './store.ts'

/** A journal that can take over spool files: rows and the place reached in the file become durable together. */
export interface SpoolStore extends Store {
  /** Runs `work` in one transaction while no other process writes or ingests. */
  ingest<T>(work: (step: IngestStep) => T): T
}

interface IngestStep {
  /** How far the file was taken over; 0 when it is new. */
  positionIn(file: string): number
  append(records: readonly JournalRecord[], file: string, position: number): void
}

export const OLD_SPOOL = 'spool.old.jsonl'
const ROTATE_BYTES = 4 * 1024 * 1024
/** Read in one transaction; longer than any line, so that each step comes to the end of one. */
const STEP_BYTES = 2 * LINE_BYTES_MAX
/** More than a full spool needs; writers that never pause do not keep us here for ever. */
const STEPS_MAX = 100
/** Of the first line, enough to know the file again. */
const IDENTITY_BYTES = 64 * 1024
const NEWLINE = 10

/**
 * Moves what the one-shot processes spooled into the journal, each line once, however many do it at a time.
 * A full spool is renamed and not deleted before the next rename, because a writer may have opened it just
 * before: its late line is found in the old file. Throws JOURNAL_UNREADABLE when a file cannot be read.
 */
export function ingestSpool(folder: string, store: SpoolStore): { ingested: number; skipped: number } {
  const total = { ingested: 0, skipped: 0 }
  for (const name of [OLD_SPOOL, SPOOL]) {
    for (let step = 0; step < STEPS_MAX; step++) {
      const taken = takeStep(`${folder}/${name}`, store)
      total.ingested += taken.ingested
      total.skipped += taken.skipped
      if (taken.bytes === 0) break
    }
  }
  rotate(folder, store)
  return total
}

interface Taken {
  readonly ingested: number
  readonly skipped: number
  readonly bytes: number
}

const NOTHING: Taken = { ingested: 0, skipped: 0, bytes: 0 }

function takeStep(path: string, store: SpoolStore): Taken {
  // Looked at first without the lock: most of the time there is nothing to take.
  if (look(path) === undefined) return NOTHING
  return store.ingest((step) => {
    const spool = look(path)
    if (spool === undefined) return NOTHING
    const position = step.positionIn(spool.identity)
    const bytes = readPiece(path, position, STEP_BYTES)
    const length = completeLength(bytes)
    if (length === 0) return NOTHING
    const lines = bytes
      .toString('utf8', 0, length)
      .split('\n')
      .filter((line) => line !== '')
    const records = lines.map(parseRecord).filter((record) => record !== undefined)
    step.append(records, spool.identity, position + length)
    return { ingested: records.length, skipped: lines.length - records.length, bytes: length }
  })
}

/** Up to the last newline. A piece without any is longer than a line may be: it is skipped whole. */
function completeLength(bytes: Buffer): number {
  const length = bytes.lastIndexOf(NEWLINE) + 1
  return length === 0 && bytes.length === STEP_BYTES ? bytes.length : length
}

function rotate(folder: string, store: SpoolStore): void {
  const [path, old] = [`${folder}/${SPOOL}`, `${folder}/${OLD_SPOOL}`]
  if ((look(path)?.size ?? 0) < ROTATE_BYTES) return
  store.ingest((step) => {
    // Again under the lock: another process may have rotated, or a late line come in, since we looked.
    const spool = look(path)
    if (spool === undefined || spool.size < ROTATE_BYTES) return
    if (![path, old].every((each) => isFinished(each, step))) return
    try {
      renameSync(path, old)
    } catch {
      // Someone holds the file open where that forbids it: next time.
    }
  })
}

function isFinished(path: string, step: IngestStep): boolean {
  const spool = look(path)
  if (spool === undefined) return true
  return completeLength(readPiece(path, step.positionIn(spool.identity), STEP_BYTES)) === 0
}

interface Spool {
  /** Inode numbers are used again, so the file's first line, which holds a unique id, is part of it. */
  readonly identity: string
  readonly size: number
}

/** Undefined when there is no file, or not yet one whole line in it. */
function look(path: string): Spool | undefined {
  return withFile(path, (file) => {
    const start = readFrom(file, 0, IDENTITY_BYTES)
    const first = start.findIndex((byte) => byte !== NEWLINE)
    const end = first === -1 ? -1 : start.indexOf(NEWLINE, first)
    if (end === -1 && start.length < IDENTITY_BYTES) return undefined
    const line = start.subarray(0, end === -1 ? start.length : end)
    const { ino, size } = fstatSync(file)
    return { identity: `${ino}:${createHash('sha256').update(line).digest('hex')}`, size }
  })
}

function readPiece(path: string, position: number, length: number): Buffer {
  return withFile(path, (file) => readFrom(file, position, length)) ?? Buffer.alloc(0)
}

function readFrom(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, fstatSync(file).size - position)))
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(file, bytes, filled, bytes.length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

function withFile<T>(path: string, work: (file: number) => T): T | undefined {
  let file: number | undefined
  try {
    // Not waiting: a pipe in the place of the file would never answer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    if (!fstatSync(file).isFile()) throw new Error('not a plain file')
    return work(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw unreadable(path, error)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function unreadable(path: string, error: unknown): HoldpointError {
  const reason = error instanceof Error ? error.message : String(error)
  return new HoldpointError({
    code: 'JOURNAL_UNREADABLE',
    message: `the spool could not be read: ${reason}.`,
    file: path,
  })
}
