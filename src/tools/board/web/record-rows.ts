import { type Effect, stricter } from '../../../core/decision.ts'
import type { RecordSummary } from '../api.ts'

/** A call with all its events, as one row. */
export interface CallRow {
  readonly key: string
  /** The event that the row is about: the one that was stopped, or the first. */
  readonly record: RecordSummary
  readonly effect: Effect
  readonly events: readonly string[]
  readonly toolMs?: number
  readonly failed?: true
}

/** Rows, the newest first, that records can be put before or behind. */
export interface CallRows {
  readonly rows: readonly CallRow[]
  readonly byKey: ReadonlyMap<string, CallRow>
}

export const NO_ROWS: CallRows = { rows: [], byKey: new Map() }

/** `records`: the newest first. The second event of a call joins the row of the first. */
export function addRecords(
  known: CallRows,
  records: readonly RecordSummary[],
  where: 'before' | 'behind',
): CallRows {
  const byKey = new Map(known.byKey)
  const fresh: string[] = []
  const changed = new Set<string>()
  // The oldest first, so that the first event of a call begins its row.
  for (const record of [...records].reverse()) {
    const key = keyOf(record)
    const row = byKey.get(key)
    if (row === undefined) fresh.push(key)
    else if (known.byKey.has(key)) changed.add(key)
    byKey.set(key, row === undefined ? rowOf(key, record) : joined(row, record))
  }
  const added = fresh.reverse().flatMap((key) => byKey.get(key) ?? [])
  const kept = changed.size === 0 ? known.rows : known.rows.map((row) => byKey.get(row.key) ?? row)
  return { rows: where === 'before' ? [...added, ...kept] : [...kept, ...added], byKey }
}

function keyOf({ id, session, call, tool }: RecordSummary): string {
  return call === undefined ? id : `${session}\n${call}\n${tool}`
}

function rowOf(key: string, record: RecordSummary): CallRow {
  const { effect, event, toolMs } = record
  return {
    key,
    record,
    effect,
    events: [event],
    ...(toolMs === undefined ? {} : { toolMs }),
    ...(event === 'PostToolUseFailure' ? { failed: true } : {}),
  }
}

function joined(row: CallRow, record: RecordSummary): CallRow {
  if (row.events.includes(record.event) && row.record.id === record.id) return row
  const effect = stricter(row.effect, record.effect)
  const toolMs = record.toolMs ?? row.toolMs
  const isFailed = row.failed === true || record.event === 'PostToolUseFailure'
  return {
    key: row.key,
    // The row leads to the event that explains it.
    record: effect === row.effect ? row.record : record,
    effect,
    events: row.events.includes(record.event) ? row.events : [...row.events, record.event],
    ...(toolMs === undefined ? {} : { toolMs }),
    ...(isFailed ? { failed: true } : {}),
  }
}
