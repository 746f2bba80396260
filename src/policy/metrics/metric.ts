import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'

/**
 * One event, as a line of `sessions/<session>.jsonl`. The schema is documented in docs/reference/metrics.md. A change
 * of meaning needs a new schema number there and here.
 */
export interface Metric {
  readonly schema: typeof SCHEMA
  /** The same for two deliveries of the same event. */
  readonly id: string
  readonly sessionId: string
  /** ISO time. */
  readonly timestamp: string
  readonly eventType: EventType
  readonly data: JsonObject
  readonly metadata: JsonObject
}

export const SCHEMA = 1

export const EVENT_TYPES = [
  'session-start',
  'tool',
  'agent-start',
  'agent-stop',
  'stop',
  'handoff',
  'session-end',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** The result when an agent wanted to hand its work on. */
export const OUTCOMES = ['routed', 'completed', 'held', 'failed'] as const
export type MetricOutcome = (typeof OUTCOMES)[number]

/** The model chooses the names, so they are cut to this length. */
const NAME_CHARACTERS_MAX = 100

export function shortName(name: string): string {
  return name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX - 1)}…` : name
}

/** Undefined for a line that is incomplete, has another schema, or was written by another program. */
export function parseMetric(line: string): Metric | undefined {
  let value: Json
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isObject(value) || value.schema !== SCHEMA) return undefined
  const { data, metadata } = value
  const id = textAt(value, 'id')
  const timestamp = textAt(value, 'timestamp')
  const eventType = EVENT_TYPES.find((known) => known === value.eventType)
  if (id === undefined || timestamp === undefined || eventType === undefined) return undefined
  if (Number.isNaN(Date.parse(timestamp)) || typeof value.sessionId !== 'string') return undefined
  if (!isObject(data) || !isObject(metadata)) return undefined
  return { schema: SCHEMA, id, sessionId: value.sessionId, timestamp, eventType, data, metadata }
}
