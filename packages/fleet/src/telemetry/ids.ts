import { createHash } from 'node:crypto'
import type { TelemetryRecord } from '../../../../src/core/fleet-package.ts'

/**
 * The ids of traces and spans follow from the records. So a record that is sent twice is the same span twice, and logs
 * name the span that belongs to them before it has ended.
 */

function hashed(length: number, ...parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return digest.slice(0, length)
}

export function traceIdOf(
  machine: string,
  { host, session }: Pick<TelemetryRecord, 'host' | 'session'>,
): string {
  return hashed(32, 'trace', machine, host, session)
}

type SpanPlace = Pick<TelemetryRecord, 'host' | 'session' | 'agent' | 'extra'>

export function sessionSpanId({ host, session }: SpanPlace): string {
  return hashed(16, 'session', host, session)
}

/** Of the main agent: the session itself. */
export function agentSpanId(place: SpanPlace): string {
  const { host, session, agent } = place
  return agent === undefined ? sessionSpanId(place) : hashed(16, 'agent', host, session, agent)
}

/** Undefined: the host gives its calls no id, so that the end of a call cannot be found. */
export function callIdOf({ extra }: SpanPlace): string | undefined {
  const call = extra?.call
  return typeof call === 'string' && call !== '' ? call : undefined
}

export function callSpanId(place: SpanPlace, call: string): string {
  return hashed(16, 'call', place.host, place.session, call)
}
