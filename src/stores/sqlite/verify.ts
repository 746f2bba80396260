import { chainHash } from '../chain.ts'
import { parseRecord } from '../record.ts'
import type { ChainReport } from '../store.ts'
import { type Connection, numberIn } from './database.ts'
import type { Head } from './head.ts'
import { COLUMNS, type Row, rowOf } from './rows.ts'

export interface End {
  readonly seq: number
  readonly hash: string
}

/** Where the chain begins (the last record that was dropped) and ends, as the database notes it. */
export interface Ends {
  readonly anchor: End
  readonly last: End
}

type Note = Head | 'missing' | 'garbage'

const PAGE = 1_000

/** Walks the whole chain and stops at the first thing that is wrong. */
export function verifyChain(database: Connection, ends: Ends, head: Note): ChainReport {
  const records = numberIn(database, 'SELECT count(*) FROM records')
  let previous = ends.anchor
  let counted = 0
  /** The record the note names, and how many there are up to it, once we passed it. */
  let noted = { end: ends.anchor, count: 0 }
  for (const row of everyRow(database)) {
    const wrong = wrongWith(row, previous)
    if (wrong !== undefined) return { ok: false, records, ...wrong }
    previous = row
    counted++
    if (typeof head !== 'string' && row.seq <= head.seq) noted = { end: row, count: counted }
  }
  const wrong = wrongAtEnd(previous, ends.last, head) ?? wrongWithNote(head, noted)
  if (wrong !== undefined) return { ok: false, records, ...wrong }
  return { ok: true, records, message: `${records} records, the chain is whole` }
}

type Wrong = Pick<ChainReport, 'brokenAt' | 'message'>

function wrongWith(row: Row, previous: End): Wrong | undefined {
  const expected = previous.seq + 1
  if (row.seq !== expected) {
    const missing =
      row.seq - 1 === expected ? `record ${expected} is` : `records ${expected} to ${row.seq - 1} are`
    return { brokenAt: expected, message: `${missing} missing: removed after being written` }
  }
  if (chainHash(previous.hash, row.record) !== row.hash) {
    return { brokenAt: row.seq, message: `record ${row.seq} was changed or put in another place` }
  }
  const record = parseRecord(row.record)
  const columns = record === undefined ? undefined : rowOf(row.seq, row.hash, record, row.record)
  if (columns === undefined || COLUMNS.some((name) => columns[name] !== row[name])) {
    return { brokenAt: row.seq, message: `record ${row.seq} is listed as something it is not` }
  }
  return undefined
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
  const page = database.prepare(`SELECT ${COLUMNS} FROM records WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`)
  let after = Number.MIN_SAFE_INTEGER
  for (;;) {
    const rows = page.all(after) as Row[]
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
  }
}
