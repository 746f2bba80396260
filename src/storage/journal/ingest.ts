import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, renameSync } from 'node:fs'
import { HoldpointError } from '../../core/errors.ts'
import { parseRecord } from './record.ts'
import { LINE_BYTES_MAX, SPOOL } from './spool.ts'
import type { JournalRecord, Store } from './store.ts'

/** A journal that can import spool files: rows and the position in the file are stored in one transaction. */
export interface SpoolStore extends Store {
  /** Runs `work` in one transaction while no other process writes or ingests. */
  ingest<T>(work: (step: IngestStep) => T): T
}

interface IngestStep {
  /** How many bytes of the file were imported; 0 if it is new. */
  positionIn(file: string): number
  /**
   * Which of the records the journal already has: a folder that was restored from a copy contains lines a
   * second time.
   */
  known(ids: readonly string[]): ReadonlySet<string>
  append(records: readonly JournalRecord[], file: string, position: number): void
}

export const OLD_SPOOL = 'spool.old.jsonl'
const ROTATE_BYTES = 4 * 1024 * 1024
/** Read in one transaction. Longer than any line, so that each step reaches the end of one. */
const STEP_BYTES = 2 * LINE_BYTES_MAX
/** More than a full spool needs. Ends the import even if writers never pause. */
const STEPS_MAX = 100
/** This much of the first line is enough to recognise the file. */
const IDENTITY_BYTES = 64 * 1024
const NEWLINE = 10

/**
 * Moves the records that one-shot processes wrote to the spool into the journal, each line once, even if several
 * processes do this at the same time. A full spool is renamed, and deleted only at the next rename, because a writer
 * may have opened it just before: its late line is then found in the old file. Throws JOURNAL_UNREADABLE if a file
 * cannot be read.
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
  // Checked without the lock first, because most of the time there is nothing to import.
  if (look(path) === undefined) return NOTHING
  return store.ingest((step) => {
    const spool = look(path)
    if (spool === undefined) return NOTHING
    const position = placeIn(spool, step)
    const bytes = readPiece(path, position, STEP_BYTES)
    const length = completeLength(bytes)
    if (length === 0) return NOTHING
    const lines = bytes
      .toString('utf8', 0, length)
      .split('\n')
      .filter((line) => line !== '')
    const records = lines.map(parseRecord).filter((record) => record !== undefined)
    const known = step.known(records.map(({ id }) => id))
    const fresh = records.filter(({ id }) => !known.has(id))
    step.append(fresh, spool.identity, position + length)
    return { ingested: fresh.length, skipped: lines.length - records.length, bytes: length }
  })
}

/** Up to the last newline. A piece without any newline is longer than a line may be, and is skipped completely. */
function completeLength(bytes: Buffer): number {
  const length = bytes.lastIndexOf(NEWLINE) + 1
  return length === 0 && bytes.length === STEP_BYTES ? bytes.length : length
}

function rotate(folder: string, store: SpoolStore): void {
  const [path, old] = [`${folder}/${SPOOL}`, `${folder}/${OLD_SPOOL}`]
  if ((look(path)?.size ?? 0) < ROTATE_BYTES) return
  store.ingest((step) => {
    // Again under the lock: another process may have rotated the file, or added a line, in the meantime.
    const spool = look(path)
    if (spool === undefined || spool.size < ROTATE_BYTES) return
    if (![path, old].every((each) => isFinished(each, step))) return
    try {
      renameSync(path, old)
    } catch {
      // Another process has the file open, and the system forbids its removal: try again next time.
    }
  })
}

function isFinished(path: string, step: IngestStep): boolean {
  const spool = look(path)
  if (spool === undefined) return true
  return completeLength(readPiece(path, placeIn(spool, step), STEP_BYTES)) === 0
}

/** A file that is shorter than the imported part was restored from a copy: it is read from the start. */
function placeIn({ identity, size }: Spool, step: IngestStep): number {
  const position = step.positionIn(identity)
  return position > size ? 0 : position
}

interface Spool {
  /** Inode numbers are used again, so the first line of the file, which contains a unique id, is part of it. */
  readonly identity: string
  readonly size: number
}

/** Undefined if there is no file, or no complete line in it yet. */
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
    // Without blocking: a pipe instead of the file would never answer.
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
