import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { bad, good, type Result } from '../../core/errors.ts'
import type { JournalRecord } from './store.ts'

/**
 * The file to which the one-shot process writes its record, with one write. `ingest.ts` imports it later. Hooks use
 * this, so there is no database, no waiting and never an exception; the caller counts lost records.
 */

export const SPOOL = 'spool.jsonl'
/** The maximum length of a complete line, on which readers may rely. */
export const LINE_BYTES_MAX = 1024 * 1024
/** A spool that is never imported must not fill the disk. */
const SPOOL_BYTES_MAX = 64 * 1024 * 1024

const FLAGS =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0)

export function appendToSpool(folder: string, record: JournalRecord): Result<void> {
  return appendAllToSpool(folder, [record])
}

/** For a process that was started from the parent folder: if that was deleted, it is not created again. */
export function appendToOwnSpool(folder: string, record: JournalRecord): Result<void> {
  return appendAllToSpool(folder, [record], false)
}

/** The same for several records in one write: for processes that handle more than one event. */
export function appendAllToSpool(
  folder: string,
  records: readonly JournalRecord[],
  mayMakeHome = true,
): Result<void> {
  const path = `${folder}/${SPOOL}`
  try {
    const lines = records.map(lineOf)
    const bytes = lines.length === 1 && lines[0] !== undefined ? lines[0] : Buffer.concat(lines)
    const file = openSpool(folder, path, mayMakeHome)
    try {
      const stat = fstatSync(file)
      if (!stat.isFile()) throw new Error('not a plain file')
      if (stat.size + bytes.length > SPOOL_BYTES_MAX)
        throw new Error('it is full; `holdpoint log` empties it')
      const written = writeSync(file, bytes)
      if (written !== bytes.length)
        throw new Error(`only ${written} of ${bytes.length} bytes could be written`)
    } finally {
      closeSync(file)
    }
    return good(undefined)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return bad('JOURNAL_UNREADABLE', `the spool ${path} could not be written: ${reason}`, { file: path })
  }
}

function lineOf(record: JournalRecord): Buffer {
  // The leading newline ends a line that another writer could not complete on a full disk.
  const bytes = Buffer.from(`\n${JSON.stringify(record)}\n`)
  if (bytes.length > LINE_BYTES_MAX) throw new Error(`a record of ${bytes.length} bytes is too large`)
  return bytes
}

function openSpool(folder: string, path: string, mayMakeHome: boolean): number {
  try {
    return openSync(path, FLAGS, 0o600)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    makeFolder(folder, mayMakeHome)
    return openSync(path, FLAGS, 0o600)
  }
}

function makeFolder(folder: string, mayMakeHome: boolean): void {
  try {
    mkdirSync(folder, { recursive: mayMakeHome, mode: 0o700 })
  } catch (error) {
    // Another thread created it first.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
