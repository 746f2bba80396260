import { MAIN } from '../../core/actor.ts'
import { EFFECTS } from '../../core/decision.ts'
import { HoldpointError } from '../../core/errors.ts'
import { isObject, type Json } from '../../core/json.ts'
import type { JournalRecord, Query } from './store.ts'

/** What all journals share: the text of a record, which records a query selects, and which are dropped. */

/** The text of each record. Throws if one could not be read back; none is stored then. */
export function recordTexts(records: readonly JournalRecord[]): readonly string[] {
  return records.map((record) => {
    const text = JSON.stringify(record)
    if (parseRecord(text) !== undefined) return text
    throw new HoldpointError({ code: 'INTERNAL', message: `not a journal record: ${text.slice(0, 200)}` })
  })
}

/** The record in a line of text, or undefined if it is not a record. Unknown fields are kept. */
export function parseRecord(text: string): JournalRecord | undefined {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  const { because, failed, notices, durationMs, effect } = value
  const whole =
    REQUIRED_TEXTS.every((key) => typeof value[key] === 'string') &&
    OPTIONAL_TEXTS.every((key) => value[key] === undefined || typeof value[key] === 'string') &&
    EFFECTS.some((known) => known === effect) &&
    isTexts(because) &&
    (failed === undefined || isTexts(failed)) &&
    (notices === undefined || isTexts(notices)) &&
    typeof durationMs === 'number' &&
    (value.extra === undefined || isObject(value.extra))
  return whole ? (value as unknown as JournalRecord) : undefined
}

const REQUIRED_TEXTS = ['id', 'at', 'host', 'event', 'session', 'cwd', 'project', 'revision']
const OPTIONAL_TEXTS = ['agent', 'agentType', 'tool', 'input', 'reason']

function isTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** `main` finds the records that name no agent. `since` is included, `after` is not. */
export function matchesQuery(query: Query, seq: number, record: JournalRecord): boolean {
  return (
    (query.after === undefined || seq > query.after) &&
    (query.before === undefined || seq < query.before) &&
    (query.since === undefined || record.at >= query.since) &&
    (query.until === undefined || record.at < query.until) &&
    (query.agent === undefined || (record.agent ?? MAIN) === query.agent) &&
    (query.hook === undefined || hooksOf(record).includes(query.hook)) &&
    (['session', 'event', 'tool', 'effect', 'project'] as const).every(
      (key) => query[key] === undefined || record[key] === query[key],
    )
  )
}

/** The hooks of a record: those that decided, and those that failed. */
export function hooksOf(record: JournalRecord): readonly string[] {
  return [...record.because, ...(record.failed ?? [])]
}

/** The size of a record for `keepMegabytes`: its text, and roughly what the table adds. */
export function sizeOf(text: string): number {
  return Buffer.byteLength(text) + ROW_BYTES
}

export const ROW_BYTES = 300

/** Records at or after this time are kept; undefined if there is no age limit. */
export function oldestKept(limits: { readonly keepDays?: number; readonly now: Date }): string | undefined {
  if (limits.keepDays === undefined) return undefined
  return new Date(limits.now.getTime() - limits.keepDays * 24 * 60 * 60 * 1000).toISOString()
}

export function closedStore(): HoldpointError {
  return new HoldpointError({ code: 'INTERNAL', message: 'the journal was used after it was closed' })
}
