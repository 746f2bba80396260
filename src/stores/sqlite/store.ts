import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { chainHash, GENESIS } from '../chain.ts'
import type { SpoolStore } from '../ingest.ts'
import { closedStore, oldestKept, parseRecord, ROW_BYTES, recordTexts } from '../record.ts'
import type { JournalRecord, Query, Store, StoredRecord } from '../store.ts'
import { atOneMoment, type Connection, exclusively, numberIn, openDatabase, unreadable } from './database.ts'
import { readHead, writeHead } from './head.ts'
import { COLUMNS, conditionsOf, plain, type Row, rowOf } from './rows.ts'
import { type End, type Ends, verifyChain } from './verify.ts'

/**
 * The journal on disk: `journal.db` and `head.json` in one folder, shared by any number of processes.
 * Waits for other writers up to five seconds, so never on the event loop of something that must answer.
 */
export function openSqliteStore(folder: string): SpoolStore {
  const database = openDatabase(folder)

  /** Every use of the database: closed is a defect of the caller, all else is JOURNAL_UNREADABLE. */
  function using<T>(work: () => T): T {
    if (!database.open) throw closedStore()
    try {
      return work()
    } catch (error) {
      throw unreadable(join(folder, 'journal.db'), error)
    }
  }

  /** One write; when it changed the chain, the note of where that now ends. */
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
    read: (query) =>
      select(query, (sql, parameters) => using(() => database.prepare(sql).all(...parameters))),
    find(id) {
      const sql = `SELECT ${COLUMNS} FROM records WHERE id = ? ORDER BY seq LIMIT 1`
      return using(() => storedOf(database.prepare(sql).all(plain(id)) as Row[])[0])
    },
    verify() {
      if (!database.open) throw closedStore()
      // The note first: it may lag behind the rows, so rows added meanwhile are no contradiction.
      const head = readHead(folder)
      try {
        return atOneMoment(database, () => verifyChain(database, endsOf(database), head))
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return { ok: false, records: 0, message: `the journal cannot be read: ${reason}` }
      }
    },
    retain(limits) {
      const dropped = writing(() => dropOldest(database, limits))
      // Only now does the space go back to the disk.
      if (dropped > 0)
        using(() => database.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)'))
      return dropped
    },
    ingest: (work) =>
      writing(() =>
        work({
          positionIn: (file) => numberIn(database, 'SELECT position FROM spools WHERE file = ?', file),
          append(records, file, position) {
            insert(database, records, recordTexts(records))
            database.prepare('INSERT OR REPLACE INTO spools VALUES (?, ?)').run(file, position)
          },
        }),
      ),
    close() {
      if (database.open) database.close()
    },
  }
}

function insert(database: Connection, records: readonly JournalRecord[], texts: readonly string[]): void {
  const statement = database.prepare(
    `INSERT INTO records (${COLUMNS}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  )
  let last = endOf(database, 'last')
  // Rows nobody noted are someone else's: leave them for `verify`, but do not fail on their numbers.
  let seq = Math.max(last.seq, numberIn(database, 'SELECT max(seq) FROM records'))
  for (const [index, record] of records.entries()) {
    const text = texts[index] ?? ''
    seq++
    last = { seq, hash: chainHash(last.hash, text) }
    const row = rowOf(seq, last.hash, record, text)
    statement.run(COLUMNS.map((name) => row[name]))
  }
  setEnd(database, 'last', last)
}

const PAGE = 500

type All = (sql: string, parameters: readonly unknown[]) => unknown[]

/** The first and last record are found at once: what is appended while reading is for the next read. */
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

/** So that a long journal is never in memory as a whole, and no read holds up a writer. */
function* pages(
  { first, last }: Bounds,
  where: string,
  parameters: readonly unknown[],
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

/** A row whose text is no record was tampered with: `verify` tells, the others can still be read. */
function storedOf(rows: readonly Row[]): readonly StoredRecord[] {
  return rows.flatMap(({ seq, hash, record: text }) => {
    const record = parseRecord(text)
    return record === undefined ? [] : [{ seq, hash, record }]
  })
}

function dropOldest(database: Connection, limits: Parameters<Store['retain']>[0]): number {
  const oldest = oldestKept(limits)
  const tooOld =
    oldest === undefined
      ? 0
      : numberIn(
          database,
          'SELECT coalesce((SELECT min(seq) - 1 FROM records WHERE at >= ?), (SELECT max(seq) FROM records))',
          oldest,
        )
  const tooMuch =
    limits.keepMegabytes === undefined
      ? 0
      : numberIn(
          database,
          `SELECT max(seq) FROM (
            SELECT seq, sum(length(CAST(record AS BLOB)) + ${ROW_BYTES}) OVER (ORDER BY seq DESC) AS bytes FROM records
          ) WHERE bytes > ?`,
          limits.keepMegabytes * 1_000_000,
        )
  const upTo = Math.max(tooOld, tooMuch)
  const [last] = database
    .prepare('SELECT seq, hash FROM records WHERE seq <= ? ORDER BY seq DESC LIMIT 1')
    .all(upTo) as End[]
  if (last === undefined) return 0
  setEnd(database, 'anchor', last)
  return database.prepare('DELETE FROM records WHERE seq <= ?').run(last.seq).changes
}

function endOf(database: Connection, name: 'anchor' | 'last'): End {
  const [end] = database.prepare('SELECT seq, hash FROM ends WHERE name = ?').all(name) as End[]
  return end ?? { seq: 0, hash: GENESIS }
}

function setEnd(database: Connection, name: 'anchor' | 'last', { seq, hash }: End): void {
  database.prepare('INSERT OR REPLACE INTO ends VALUES (?, ?, ?)').run(name, seq, hash)
}

function endsOf(database: Connection): Ends {
  return { anchor: endOf(database, 'anchor'), last: endOf(database, 'last') }
}

/**
 * A note that contradicts the database is evidence: it is left alone, so that `verify` keeps finding it. One that
 * lags, or was never written, is no contradiction.
 */
function agrees(head: ReturnType<typeof readHead>, ends: ReturnType<typeof endsOf>): boolean {
  if (head === 'missing') return ends.last.seq === 0
  if (head === 'garbage') return false
  return head.seq < ends.last.seq || (head.seq === ends.last.seq && head.hash === ends.last.hash)
}

/**
 * Under the writers' lock, so that a slower process cannot put an older note over a newer one. The rows are
 * already safe: when the note cannot be written it lags, and the next append makes it good.
 */
function noteHead(database: Connection, folder: string): void {
  try {
    exclusively(database, () => {
      const { anchor, last } = endsOf(database)
      writeHead(folder, { count: last.seq - anchor.seq, ...last })
    })
  } catch {
    // Lagging is allowed, see above.
  }
}
