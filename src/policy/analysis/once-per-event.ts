import type { Event } from '../../core/event.ts'

interface Where {
  readonly cwd: string
  readonly home: string
}

/**
 * Computes a result once per event, no matter how many guards ask for it. Only the last event is kept: guards judge
 * one event after the other, and a table of events would survive every minor garbage collection.
 */
export function oncePerEvent<Facts extends Where, Found>(
  find: (event: Event, facts: Facts) => Found,
): (event: Event, facts: Facts) => Found {
  let last: (Where & { readonly event: Event; readonly found: Found }) | undefined
  return (event, facts) => {
    const { cwd, home } = facts
    if (last?.event === event && last.cwd === cwd && last.home === home) return last.found
    const found = find(event, facts)
    last = { event, cwd, home, found }
    return found
  }
}
