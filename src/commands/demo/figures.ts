import type { StoredRecord } from '../../storage/journal/store.ts'
import type { Recorded } from './lines.ts'

/** The median: half of the calls took no longer. */
export function middle(times: readonly number[]): number | undefined {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)]
}

/** What the journal says about a session: how many events, and which guards stopped or asked. */
export function countRecords(records: readonly StoredRecord[], isIntact: boolean): Recorded {
  const counts = new Map<string, Recorded['because'][number]>()
  for (const { record } of records) {
    const { effect } = record
    if (effect !== 'deny' && effect !== 'ask') continue
    for (const id of record.because) {
      const key = `${effect} ${id}`
      counts.set(key, { effect, id, count: (counts.get(key)?.count ?? 0) + 1 })
    }
  }
  const having = (effect: string) => records.filter(({ record }) => record.effect === effect).length
  return {
    events: records.length,
    denied: having('deny'),
    asked: having('ask'),
    isIntact,
    because: [...counts.values()],
  }
}
