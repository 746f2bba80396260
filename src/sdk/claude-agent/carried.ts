import type { Context, Decision } from '../../decision.ts'
import type { Event } from '../../event.ts'
import type { Abilities } from '../../hosts/host.ts'

/** Texts for an agent at an event that takes none: they wait for the next one that does. */
export interface Carried {
  through(event: Event, decision: Decision, can: Abilities): Decision
}

export function createCarried(): Carried {
  const waiting = new Map<string, readonly Context[]>()
  return {
    through(event, decision, can) {
      const agent = JSON.stringify([event.session, event.agentId ?? null])
      const context = [...(waiting.get(agent) ?? []), ...decision.context]
      if (context.length === 0) return decision
      if (can.context) waiting.delete(agent)
      else waiting.set(agent, context)
      return { ...decision, context: can.context ? context : [] }
    },
  }
}
