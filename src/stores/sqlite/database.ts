import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { HoldpointError } from '../../errors.ts'

/** Opens the journal's database and speaks to it; the only file that knows the library. */

export type Connection = Database.Database

const SCHEMA_VERSION = 1
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
    record TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS records_id ON records (id);
  CREATE TABLE IF NOT EXISTS ends (name TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS spools (file TEXT PRIMARY KEY, position INTEGER NOT NULL);
  PRAGMA user_version = ${SCHEMA_VERSION};
`

/** Throws JOURNAL_UNREADABLE; what is on disk stays as it is. */
export function openDatabase(folder: string): Connection {
  const path = join(folder, 'journal.db')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Made here, because the library would make it readable for all; its side files take the same mode.
    closeSync(openSync(path, 'a', 0o600))
    return prepared(new Database(path))
  } catch (error) {
    throw unreadable(path, error)
  }
}

function prepared(database: Connection): Connection {
  try {
    // First of all: without it the next statements fail at once when another process has the file.
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    if (numberIn(database, 'PRAGMA user_version') > SCHEMA_VERSION) {
      throw new Error('it was written by a newer version of Holdpoint')
    }
    // Lets `retain` give space back; has an effect only before the first table.
    database.exec('PRAGMA auto_vacuum = INCREMENTAL')
    switchToWal(database)
    database.exec('PRAGMA synchronous = NORMAL')
    exclusively(database, () => database.exec(SCHEMA))
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite does not wait for the lock when two processes change the mode of a new file at once. */
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

/** All or nothing, and no other process writes meanwhile. */
export function exclusively<T>(database: Connection, work: () => T): T {
  return inTransaction(database, 'BEGIN IMMEDIATE', work)
}

/** Everything is read as it was at the first read. */
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
    // A full disk has already rolled it back; a second time would hide the reason.
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** The first column of the first row, as a number; 0 when there is none. */
export function numberIn(database: Connection, sql: string, ...parameters: readonly unknown[]): number {
  const row = database
    .prepare(sql)
    .raw()
    .get(...parameters)
  return Array.isArray(row) ? Number(row[0]) : 0
}

export function unreadable(path: string, error: unknown): HoldpointError {
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}
