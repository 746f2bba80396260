import type { Pool } from 'pg'
import { parseRecord } from '../../../../src/storage/journal/record.ts'
import { plain } from '../sink/columns.ts'
import type { FleetQuery, FleetRecord } from '../sink/sink.ts'
import { inTransaction, type Transaction } from './connection.ts'

const PAGE = 500

/** Reads in pages with a cursor of the database, so that neither side has all records in memory. */
export async function* readRecords(pool: Pool, query: FleetQuery): AsyncIterable<FleetRecord> {
  const { sql, parameters } = selectRecords(query)
  const pages = pagesOf(pool, sql, parameters)
  for await (const rows of pages) {
    for (const row of rows) {
      const record = parseRecord(String(row.record))
      if (record === undefined) continue
      yield {
        machine: String(row.machine),
        branch: String(row.branch),
        seq: Number(row.seq),
        hash: String(row.hash),
        occurredAt: (row.at as Date).toISOString(),
        intact: row.intact === true,
        record,
      }
    }
  }
}

type Row = Readonly<Record<string, unknown>>

/** A cursor lives as long as its transaction, which lives as long as somebody asks for the next page. */
export async function* pagesOf(
  pool: Pool,
  sql: string,
  parameters: readonly unknown[],
): AsyncGenerator<readonly Row[]> {
  const pages: (readonly Row[])[] = []
  let wake: () => void = () => {}
  let next: () => void = () => {}
  let state: 'reading' | 'done' | 'stopped' = 'reading'
  const waiting = () => new Promise<void>((resolve) => (next = resolve))
  const read = async ({ client }: Transaction) => {
    await client.query(`DECLARE pages NO SCROLL CURSOR FOR ${sql}`, [...parameters])
    for (;;) {
      const { rows } = await client.query(`FETCH ${PAGE} FROM pages`)
      if (rows.length === 0 || state === 'stopped') return
      pages.push(rows)
      const asked = waiting()
      wake()
      await asked
    }
  }
  let failure: unknown
  const whole = inTransaction(pool, 'read', read).then(
    () => {},
    (error: unknown) => {
      failure = error
    },
  )
  void whole.then(() => {
    state = 'done'
    wake()
  })
  try {
    for (;;) {
      while (pages.length === 0 && state === 'reading') await new Promise<void>((resolve) => (wake = resolve))
      const page = pages.shift()
      if (page === undefined) break
      yield page
      next()
    }
    if (failure !== undefined) throw failure
  } finally {
    if (state === 'reading') state = 'stopped'
    next()
    await whole
  }
}

/** For one machine in the order of its chain, for several by time. */
function selectRecords(query: FleetQuery): { readonly sql: string; readonly parameters: readonly unknown[] } {
  const parameters: unknown[] = []
  const value = (each: unknown) => {
    parameters.push(typeof each === 'string' ? plain(each) : each)
    return `$${parameters.length}`
  }
  const conditions: string[] = ["r.record <> ''"]
  const equal = (column: string, asked: string | undefined) => {
    if (asked !== undefined) conditions.push(`${column} = ${value(asked)}`)
  }
  equal('r.machine', query.machine)
  equal('r.session', query.session)
  equal('r.agent', query.agent)
  equal('r.event', query.event)
  equal('r.tool', query.tool)
  equal('r.effect', query.effect)
  if (query.project !== undefined) {
    const project = value(query.project)
    conditions.push(`(r.project_path = ${project} OR r.project = ${project})`)
  }
  if (query.hook !== undefined) conditions.push(`r.hooks @> ARRAY[${value(query.hook)}]`)
  if (query.since !== undefined) conditions.push(`r.at >= ${value(query.since)}::timestamptz`)
  if (query.until !== undefined) conditions.push(`r.at < ${value(query.until)}::timestamptz`)
  if (query.after !== undefined) conditions.push(`r.seq > ${value(query.after)}`)
  if (query.team !== undefined) {
    conditions.push(`r.machine IN (SELECT machine FROM holdpoint.machines WHERE team = ${value(query.team)})`)
  }
  const columns = "r.machine, r.branch, r.seq, r.at, r.intact, r.record, encode(r.hash, 'hex') AS hash"
  const order = query.machine === undefined ? ['at', 'machine', 'branch', 'seq'] : ['branch', 'seq']
  const from = `SELECT ${columns} FROM holdpoint.records r WHERE ${conditions.join(' AND ')}`
  if (query.limit === undefined) return { sql: `${from} ORDER BY ${order.join(', ')}`, parameters }
  const newest = `${from} ORDER BY ${order.map((name) => `${name} DESC`).join(', ')} LIMIT ${value(Math.max(0, Math.floor(query.limit)))}`
  return { sql: `SELECT * FROM (${newest}) AS newest ORDER BY ${order.join(', ')}`, parameters }
}
