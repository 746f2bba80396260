import type { GuardInput } from '../../core/guard.ts'

/**
 * Computes what follows from an event, its facts and the memory of its actor once, although guards of several packs ask
 * for it. Only the last one is kept, as in `oncePerEvent`.
 */
export function oncePerInput<Found>(find: (input: GuardInput) => Found): (input: GuardInput) => Found {
  let last: (Pick<GuardInput, 'event' | 'facts' | 'memory'> & { readonly found: Found }) | undefined
  return (input) => {
    const { event, facts, memory } = input
    if (last?.event !== event || last.facts !== facts || last.memory !== memory) {
      last = { event, facts, memory, found: find(input) }
    }
    return last.found
  }
}
