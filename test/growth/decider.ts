import { decideEvent, type EventContext } from '../../src/app/decide-event.ts'
import type { Event } from '../../src/core/event.ts'
import { frozenFacts } from '../../src/library/testing/events.ts'
import { createMemoryState } from '../../src/storage/state/memory-state.ts'

/** Decides events as the daemon does, all of the way from the session's state to what is committed. */
export function deciderOf(engine: EventContext['engine'], more: Partial<EventContext> = {}) {
  const context: EventContext = {
    engine,
    state: createMemoryState(),
    facts: frozenFacts(),
    maskers: [],
    stopBlocksMax: 3,
    now: () => performance.now(),
    ...more,
  }
  return async (event: Event, expected: 'pass' | 'deny' = 'pass'): Promise<void> => {
    const { decision } = await decideEvent(event, context)
    if (decision.effect !== expected)
      throw new Error(
        `expected ${expected}, not ${decision.effect}: ${decision.reasons.map(({ text }) => text).join(' ')}`,
      )
  }
}
