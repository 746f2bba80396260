import type { Effect } from '../../../core/decision.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { SESSION_RECORDS_MAX, type SessionRow } from '../store.ts'
import { columnNumber } from './database.ts'
import { COLUMNS, type Row, storedOf } from './rows.ts'

/**
 * Rows that are read at once to find sessions. A journal of any length is read from its end, as far as needed: few
 * sessions are in the newest rows, so each step is longer than the one before.
 */
const FIRST_STEP_ROWS = 500
const STEP_GROWTH = 4
const STEP_ROWS_MAX = 20_000

/** The sessions that were active last. Reads only as much of the journal as it needs to find them. */
export function readSessions(
  database: Connection,
  { limit, before }: { readonly limit: number; readonly before?: number },
): readonly SessionRow[] {
  const found: SessionRow[] = []
  const seen = new Set<string>()
  const oldest = columnNumber(database, 'SELECT min(seq) FROM records')
  let end = before ?? columnNumber(database, 'SELECT max(seq) FROM records') + 1
  let stepRows = FIRST_STEP_ROWS
  while (end > oldest && found.length < limit) {
    const from = Math.max(oldest - 1, end - stepRows - 1)
    stepRows = Math.min(stepRows * STEP_GROWTH, STEP_ROWS_MAX)
    const rows = database.all(LAST_OF_EACH, from, end) as readonly { session: string; last: number }[]
    for (const { session, last } of rows) {
      if (found.length >= limit || seen.has(session)) continue
      seen.add(session)
      // A session that went on behind the place where this list continues was listed before.
      const newest = columnNumber(database, 'SELECT max(seq) FROM records WHERE session = ?', session)
      const row = newest === last ? rowOf(database, session, last) : undefined
      if (row !== undefined) found.push(row)
    }
    end = from + 1
  }
  return found
}

const LAST_OF_EACH = `
  SELECT session, max(seq) AS last FROM records
  WHERE seq > ? AND seq < ? AND session <> '' GROUP BY session ORDER BY last DESC`

const COUNTED = `
  SELECT count(*) AS records, min(at) AS start, count(DISTINCT agent) AS agents,
    sum(effect = 'pass') AS pass, sum(effect = 'allow') AS allow, sum(effect = 'ask') AS ask, sum(effect = 'deny') AS deny
  FROM (SELECT at, agent, effect FROM records WHERE session = ? ORDER BY seq DESC LIMIT ?)`

type Counted = Readonly<Record<Effect | 'records' | 'agents', number>> & { readonly start: string }

function rowOf(database: Connection, session: string, last: number): SessionRow | undefined {
  const [stored] = storedOf(database.all(`SELECT ${COLUMNS} FROM records WHERE seq = ?`, last) as Row[])
  const [counted] = database.all(COUNTED, session, SESSION_RECORDS_MAX + 1) as Counted[]
  if (stored === undefined || counted === undefined) return undefined
  const { records, start, agents, pass, allow, ask, deny } = counted
  const isCut = records > SESSION_RECORDS_MAX
  return {
    session: stored.record.session,
    last: stored,
    from: start,
    records: Math.min(records, SESSION_RECORDS_MAX),
    effects: { pass, allow, ask, deny },
    agents,
    isCut,
  }
}
