import type { JournalRecord } from '../../storage/journal/store.ts'

/**
 * One call that several hook entries of the agent asked about: a settings file, a skill, a skill of a sub-agent. Some
 * agents reuse the ids of calls, so the same id much later is another call.
 */
export function isSecondDelivery(calls: Map<string, number>, record: JournalRecord): boolean {
  if (record.extra?.repeated === true) return true
  const call = record.extra?.call
  if (typeof call !== 'string') return false
  const { session, event, agent = '', tool = '', input = '' } = record
  const key = [session, event, agent, call, tool, input].join('\0')
  const atMs = Date.parse(record.at)
  const before = calls.get(key)
  calls.delete(key)
  calls.set(key, atMs)
  const [oldest] = calls.keys()
  if (calls.size > CALLS_KEPT && oldest !== undefined) calls.delete(oldest)
  return before !== undefined && Math.abs(atMs - before) <= SECOND_DELIVERY_MS
}

const CALLS_KEPT = 10_000
/** As long as the slower of two deliveries may take. */
const SECOND_DELIVERY_MS = 60_000
