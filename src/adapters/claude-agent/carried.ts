import type { Context, Decision } from '../../core/decision.ts'
import type { Event } from '../../core/event.ts'
import type { Abilities } from '../../core/host.ts'

/** Texts for an agent at an event that cannot deliver any: they wait for the next event that can. */
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
