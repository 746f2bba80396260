import type { Event } from '../event.ts'

interface Where {
  readonly cwd: string
  readonly home: string
}

/**
 * What is found for an event, worked out once however many guards ask. Only the last is kept: guards ask about one event
 * after the other, and a table of events would carry each of them through every collection of young memory.
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
