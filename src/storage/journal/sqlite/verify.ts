import type { Connection } from '../../sqlite/connection.ts'
import { chainHash, digestOf, wholeChain } from '../chain.ts'
import { parseRecord } from '../record.ts'
import type { ChainReport } from '../store.ts'
import { columnNumber } from './database.ts'
import type { JournalHead } from './head.ts'
import { COLUMNS, erasedRow, type Row, rowOf } from './rows.ts'

export interface End {
  readonly seq: number
  readonly hash: string
}

/** The start of the chain (the last record that was dropped) and its end, as stored in the database. */
export interface Ends {
  readonly anchor: End
  readonly last: End
}

type Note = JournalHead | 'missing' | 'garbage'

const PAGE = 1_000

/** Walks the whole chain and stops at the first error. */
export function verifyChain(database: Connection, ends: Ends, head: Note): ChainReport {
  const records = columnNumber(database, 'SELECT count(*) FROM records')
  let previous = ends.anchor
  let counted = 0
  let erased = 0
  /** The record that the head names, and the number of records up to it, once it was reached. */
  let noted = { end: ends.anchor, count: 0 }
  for (const row of everyRow(database)) {
    const wrong = wrongWith(row, previous)
    if (wrong !== undefined) return { ok: false, records, ...wrong }
    previous = row
    counted++
    if (isErased(row)) erased++
    if (typeof head !== 'string' && row.seq <= head.seq) noted = { end: row, count: counted }
  }
  const wrong = wrongAtEnd(previous, ends.last, head) ?? wrongWithNote(head, noted)
  if (wrong !== undefined) return { ok: false, records, ...wrong }
  return wholeChain(records, erased)
}

type Wrong = Pick<ChainReport, 'brokenAt' | 'message'>

function wrongWith(row: Row, previous: End): Wrong | undefined {
  const expected = previous.seq + 1
  if (row.seq !== expected) {
    const missing =
      row.seq - 1 === expected ? `record ${expected} is` : `records ${expected} to ${row.seq - 1} are`
    return { brokenAt: expected, message: `${missing} missing: removed after being written` }
  }
  const changed = `record ${row.seq} was changed or put in another place`
  if (chainHash(previous.hash, row.digest === '' ? row.record : row.digest) !== row.hash) {
    return { brokenAt: row.seq, message: changed }
  }
  if (row.digest !== '' && !isErased(row) && digestOf(row.salt, row.record) !== row.digest) {
    return { brokenAt: row.seq, message: changed }
  }
  const record = isErased(row) ? undefined : parseRecord(row.record)
  const columns = isErased(row) ? erasedRow(row) : record && rowOf(row.seq, row.hash, record, row.record, row)
  if (columns === undefined || COLUMNS.some((name) => columns[name] !== row[name])) {
    return { brokenAt: row.seq, message: `record ${row.seq} is listed as something it is not` }
  }
  return undefined
}

/** A record is erased only if both salt and text are missing. One that lacks a single part was changed. */
function isErased({ digest, salt, record }: Row): boolean {
  return digest !== '' && salt === '' && record === ''
}

function wrongAtEnd(end: End, last: End, head: Note): Wrong | undefined {
  const lastNoted = typeof head === 'string' ? last.seq : Math.max(last.seq, head.seq)
  if (end.seq < lastNoted) {
    const missing = lastNoted - end.seq === 1 ? 'record is' : `${lastNoted - end.seq} records are`
    return { brokenAt: end.seq + 1, message: `the last ${missing} missing: cut off after being written` }
  }
  if (end.seq !== last.seq || end.hash !== last.hash) {
    return { brokenAt: end.seq, message: `record ${end.seq} was added by something else` }
  }
  return head === 'missing' && end.seq > 0 ? { message: 'head.json is missing: it was removed' } : undefined
}

function wrongWithNote(head: Note, noted: { readonly end: End; readonly count: number }): Wrong | undefined {
  if (head === 'missing') return undefined
  if (head === 'garbage') return { message: 'head.json is not readable: it was changed' }
  if (noted.end.seq !== head.seq || noted.end.hash !== head.hash) {
    return {
      brokenAt: head.seq,
      message: `head.json notes another record ${head.seq} than the journal has: one of the two was changed`,
    }
  }
  if (noted.count === head.count) return undefined
  return {
    message: `head.json counts ${head.count} records up to ${head.seq}, the journal has ${noted.count}`,
  }
}

function* everyRow(database: Connection): Iterable<Row> {
  const page = `SELECT ${COLUMNS} FROM records WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`
  let after = Number.MIN_SAFE_INTEGER
  for (;;) {
    const rows = database.all(page, after) as Row[]
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
  }
}
