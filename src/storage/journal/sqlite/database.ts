import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { HoldpointError } from '../../../core/errors.ts'
import { type Connection, connect, isBusy, type SqlValue } from '../../sqlite/connection.ts'

/** The journal's database: schema, modes and transactions. */

/** 1: Holdpoint 0.1.0, without `salt` and `digest`. */
const SCHEMA_VERSION = 2
const BUSY_MS = 5_000

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS records (
    seq INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    event TEXT NOT NULL,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    tool TEXT NOT NULL,
    effect TEXT NOT NULL,
    project TEXT NOT NULL,
    hooks TEXT NOT NULL,
    record TEXT NOT NULL,
    salt TEXT NOT NULL DEFAULT '',
    digest TEXT NOT NULL DEFAULT ''
  );
  CREATE INDEX IF NOT EXISTS records_id ON records (id);
  CREATE INDEX IF NOT EXISTS records_session ON records (session);
  CREATE TABLE IF NOT EXISTS ends (name TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS spools (file TEXT PRIMARY KEY, position INTEGER NOT NULL);
  PRAGMA user_version = ${SCHEMA_VERSION};
`

/** Rows of 0.1.0 stay as they are, and still verify. */
const FROM_1 = `
  ALTER TABLE records ADD COLUMN salt TEXT NOT NULL DEFAULT '';
  ALTER TABLE records ADD COLUMN digest TEXT NOT NULL DEFAULT '';
`

/** Throws JOURNAL_UNREADABLE. The files on disk are not changed then. */
export function openDatabase(folder: string): Connection {
  const path = join(folder, 'journal.db')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Created here, because the library would make it readable for all; its side files get the same mode.
    // Only if it does
    // not exist: closing an existing file would drop this process's locks on it, and another process could
    // remove its log.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    return prepared(connect(path))
  } catch (error) {
    throw unreadableJournal(path, error)
  }
}

function prepared(database: Connection): Connection {
  try {
    // Before everything else: without it the next statements would fail at once if another process has the file.
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    if (columnNumber(database, 'PRAGMA user_version') > SCHEMA_VERSION) {
      throw new Error('it was written by a newer version of Holdpoint')
    }
    // Lets `retain` free disk space. It works only before the first table is created.
    database.exec('PRAGMA auto_vacuum = INCREMENTAL')
    switchToWal(database)
    database.exec('PRAGMA synchronous = NORMAL')
    exclusively(database, () => {
      // Read under the lock, because another process may have migrated it already.
      if (columnNumber(database, 'PRAGMA user_version') === 1) database.exec(FROM_1)
      database.exec(SCHEMA)
    })
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite does not wait for the lock if two processes change the mode of a new file at once. */
function switchToWal(database: Connection): void {
  for (let attempt = 1; ; attempt++) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (attempt === 50 || !isBusy(error)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

/** Runs `work` in a transaction. No other process writes at the same time. */
export function exclusively<T>(database: Connection, work: () => T): T {
  return inTransaction(database, 'BEGIN IMMEDIATE', work)
}

/** All reads in `work` see the same state. */
export function atOneMoment<T>(database: Connection, work: () => T): T {
  return inTransaction(database, 'BEGIN', work)
}

function inTransaction<T>(database: Connection, begin: string, work: () => T): T {
  database.exec(begin)
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(database)
    throw error
  }
}

/** SQLite has already rolled back on a full disk, and an error here would hide the reason. */
function rollBack(database: Connection): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // There is nothing left to roll back.
  }
}

/** The first column of the first row, as a number; 0 if there is none. */
export function columnNumber(database: Connection, sql: string, ...parameters: readonly SqlValue[]): number {
  const [row] = database.all(sql, ...parameters)
  const [value] = typeof row === 'object' && row !== null ? Object.values(row) : []
  return Number(value ?? 0)
}

export function unreadableJournal(path: string, error: unknown): HoldpointError {
  if (error instanceof HoldpointError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new HoldpointError(
    {
      code: 'JOURNAL_UNREADABLE',
      message: `the journal ${path} could not be used: ${reason}.`,
      file: path,
      fix: 'Nothing was deleted. Check the folder and free space; to start a new journal move journal.db and head.json away together.',
    },
    { cause: error },
  )
}
