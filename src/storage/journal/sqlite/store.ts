import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Connection, SqlValue } from '../../sqlite/connection.ts'
import { chainHash, GENESIS, sealed } from '../chain.ts'
import type { SpoolStore } from '../ingest.ts'
import { closedStore, oldestKept, ROW_BYTES, recordTexts } from '../record.ts'
import type { ChainPart, ChainRow, JournalRecord, Query, Store, StoredRecord } from '../store.ts'
import { atOneMoment, columnNumber, exclusively, openDatabase, unreadableJournal } from './database.ts'
import { readHead, writeHead } from './head.ts'
import { COLUMNS, conditionsOf, erasedRow, plain, type Row, rowOf, storedOf } from './rows.ts'
import { readSessions } from './sessions.ts'
import { type End, type Ends, verifyChain } from './verify.ts'

/**
 * The journal on disk: `journal.db` and `head.json` in one folder, shared by any number of processes. It waits for other
 * writers up to five seconds, so it must not be used on an event loop that answers requests.
 */
export function openSqliteStore(folder: string): SpoolStore {
  const database = openDatabase(folder)

  /** Wraps every use of the database. If it is closed, the caller is wrong; any other error is JOURNAL_UNREADABLE. */
  function using<T>(work: () => T): T {
    if (!database.isOpen) throw closedStore()
    try {
      return work()
    } catch (error) {
      throw unreadableJournal(join(folder, 'journal.db'), error)
    }
  }

  /** Wraps a write. If it changed the chain, the new end is written to the head file. */
  function writing<T>(work: () => T): T {
    return using(() => {
      const before = endsOf(database)
      const agreed = agrees(readHead(folder), before)
      const result = exclusively(database, work)
      if (agreed && !isDeepStrictEqual(before, endsOf(database))) noteHead(database, folder)
      return result
    })
  }

  return {
    append(records) {
      const texts = recordTexts(records)
      if (texts.length > 0) writing(() => insert(database, records, texts))
    },
    read: (query) => select(query, (sql, parameters) => using(() => database.all(sql, ...parameters))),
    find(id) {
      const sql = `SELECT ${COLUMNS} FROM records WHERE id = ? ORDER BY seq LIMIT 1`
      return using(() => storedOf(database.all(sql, plain(id)) as Row[])[0])
    },
    sessions: (query) => using(() => atOneMoment(database, () => readSessions(database, query))),
    verify() {
      if (!database.isOpen) throw closedStore()
      // The head file first: it may be behind the rows, so rows that are added meanwhile are not a contradiction.
      const head = readHead(folder)
      try {
        return atOneMoment(database, () => verifyChain(database, endsOf(database), head))
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return { ok: false, records: 0, message: `the journal cannot be read: ${reason}` }
      }
    },
    chain: (after, limit) => using(() => atOneMoment(database, () => chainPart(database, after, limit))),
    erase(id) {
      // Overwritten text must not stay in the file or in its log.
      using(() => database.exec('PRAGMA secure_delete = ON'))
      const outcome = writing(() => eraseRecord(database, id))
      if (outcome === 'erased') using(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
      return outcome
    },
    retain(limits) {
      const dropped = writing(() => dropOldest(database, limits))
      // Only this frees the disk space.
      if (dropped > 0)
        using(() => database.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)'))
      return dropped
    },
    ingest: (work) =>
      writing(() =>
        work({
          positionIn: (file) => columnNumber(database, 'SELECT position FROM spools WHERE file = ?', file),
          known: (ids) => knownAmong(database, ids),
          append(records, file, position) {
            insert(database, records, recordTexts(records))
            database.run('INSERT OR REPLACE INTO spools VALUES (?, ?)', file, position)
          },
        }),
      ),
    close() {
      database.close()
    },
  }
}

/** In one question: a spool has thousands of lines. */
function knownAmong(database: Connection, ids: readonly string[]): ReadonlySet<string> {
  const sql = 'SELECT id FROM records WHERE id IN (SELECT value FROM json_each(?))'
  const rows = database.all(sql, JSON.stringify(ids.map(plain))) as readonly { readonly id: string }[]
  const stored = new Set(rows.map(({ id }) => id))
  return new Set(ids.filter((id) => stored.has(plain(id))))
}

function insert(database: Connection, records: readonly JournalRecord[], texts: readonly string[]): void {
  const insertRow = database.prepare(
    `INSERT INTO records (${COLUMNS}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  )
  let last = endOf(database, 'last')
  // Rows beyond the noted end come from another writer. `verify` reports them; here their numbers must not
  // cause a failure.
  let seq = Math.max(last.seq, columnNumber(database, 'SELECT max(seq) FROM records'))
  for (const [index, record] of records.entries()) {
    const text = texts[index] ?? ''
    seq++
    const seal = sealed(text)
    last = { seq, hash: chainHash(last.hash, seal.digest) }
    const row = rowOf(seq, last.hash, record, text, seal)
    insertRow(COLUMNS.map((name) => row[name]))
  }
  setEnd(database, 'last', last)
}

function chainPart(database: Connection, after: number, limit: number): ChainPart {
  const before = 'SELECT seq, hash FROM records WHERE seq <= ? ORDER BY seq DESC LIMIT 1'
  const [previous] = database.all(before, after) as End[]
  const { seq, hash } = previous ?? endOf(database, 'anchor')
  const rows = database.all(
    'SELECT seq, hash, salt, digest, record AS text FROM records WHERE seq > ? ORDER BY seq LIMIT ?',
    after,
    limit,
  ) as ChainRow[]
  return { previous: { seq, hash }, rows }
}

function eraseRecord(database: Connection, id: string): 'erased' | 'unknown' | 'unsealed' {
  const rows =
    id === '' ? [] : (database.all(`SELECT ${COLUMNS} FROM records WHERE id = ?`, plain(id)) as Row[])
  if (rows.length === 0) return 'unknown'
  if (rows.some(({ digest }) => digest === '')) return 'unsealed'
  const set = COLUMNS.filter((name) => name !== 'seq')
  const update = database.prepare(
    `UPDATE records SET ${set.map((name) => `${name} = ?`).join(', ')} WHERE seq = ?`,
  )
  for (const row of rows) {
    const left = erasedRow(row)
    update([...set.map((name) => left[name]), row.seq])
  }
  return 'erased'
}

const PAGE = 500

type All = (sql: string, parameters: readonly SqlValue[]) => readonly unknown[]

/** The first and last record are determined first. Records that are added while reading are left for the next read. */
function select(query: Query, all: All): Iterable<StoredRecord> {
  const { where, parameters } = conditionsOf(query)
  const limit = query.limit === undefined ? '' : `LIMIT ${Math.max(0, Math.floor(query.limit))}`
  const matching = `SELECT seq FROM records WHERE ${where} ORDER BY seq DESC ${limit}`
  const [bounds] = all(
    `SELECT min(seq) AS first, max(seq) AS last FROM (${matching})`,
    parameters,
  ) as Bounds[]
  return pages(bounds ?? { first: null, last: null }, where, parameters, all)
}

interface Bounds {
  readonly first: number | null
  readonly last: number | null
}

/** Reads in pages, so that a long journal is never completely in memory, and no read blocks a writer. */
function* pages(
  { first, last }: Bounds,
  where: string,
  parameters: readonly SqlValue[],
  all: All,
): Generator<StoredRecord> {
  const sql = `SELECT ${COLUMNS} FROM records WHERE ${where} AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ${PAGE}`
  let next = first
  while (next !== null) {
    const rows = all(sql, [...parameters, next, last]) as Row[]
    yield* storedOf(rows)
    next = rows.length < PAGE ? null : (rows.at(-1)?.seq ?? 0) + 1
  }
}

function dropOldest(database: Connection, limits: Parameters<Store['retain']>[0]): number {
  const oldest = oldestKept(limits)
  const tooOld =
    oldest === undefined
      ? 0
      : columnNumber(
          database,
          'SELECT coalesce((SELECT min(seq) - 1 FROM records WHERE at >= ?), (SELECT max(seq) FROM records))',
          oldest,
        )
  const tooMuch =
    limits.keepMegabytes === undefined
      ? 0
      : columnNumber(
          database,
          `SELECT max(seq) FROM (
            SELECT seq, sum(length(CAST(record AS BLOB)) + ${ROW_BYTES}) OVER (ORDER BY seq DESC) AS bytes FROM records
          ) WHERE bytes > ?`,
          limits.keepMegabytes * 1_000_000,
        )
  const upTo = Math.max(tooOld, tooMuch)
  const newestDropped = 'SELECT seq, hash FROM records WHERE seq <= ? ORDER BY seq DESC LIMIT 1'
  const [last] = database.all(newestDropped, upTo) as End[]
  if (last === undefined) return 0
  setEnd(database, 'anchor', last)
  return database.run('DELETE FROM records WHERE seq <= ?', last.seq)
}

function endOf(database: Connection, name: 'anchor' | 'last'): End {
  const [end] = database.all('SELECT seq, hash FROM ends WHERE name = ?', name) as End[]
  return end ?? { seq: 0, hash: GENESIS }
}

function setEnd(database: Connection, name: 'anchor' | 'last', { seq, hash }: End): void {
  database.run('INSERT OR REPLACE INTO ends VALUES (?, ?, ?)', name, seq, hash)
}

function endsOf(database: Connection): Ends {
  return { anchor: endOf(database, 'anchor'), last: endOf(database, 'last') }
}

/**
 * A head file that contradicts the database is evidence. It is not changed, so that `verify` still finds it. One that is
 * behind, or was never written, is not a contradiction.
 */
function agrees(head: ReturnType<typeof readHead>, ends: ReturnType<typeof endsOf>): boolean {
  if (head === 'missing') return ends.last.seq === 0
  if (head === 'garbage') return false
  return head.seq < ends.last.seq || (head.seq === ends.last.seq && head.hash === ends.last.hash)
}

/**
 * Under the writers' lock, so that a slower process cannot replace a newer head by an older one. The rows are already
 * stored: if the head cannot be written, it is behind, and the next append corrects it.
 */
function noteHead(database: Connection, folder: string): void {
  try {
    exclusively(database, () => {
      const { anchor, last } = endsOf(database)
      writeHead(folder, { count: last.seq - anchor.seq, ...last })
    })
  } catch {
    // The head may be behind, see above.
  }
}
