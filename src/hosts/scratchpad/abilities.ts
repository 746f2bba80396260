import type { EventKind } from '../../core/event.ts'
import { type Abilities, NO_ABILITIES } from '../../core/host.ts'

/** The four events of the scratchpad protocol: two that accept context, two that can be blocked. */
export const SCRATCHPAD_EVENTS: Readonly<Partial<Record<EventKind, Abilities>>> = {
  SessionStart: { ...NO_ABILITIES, context: true },
  SubagentStart: { ...NO_ABILITIES, context: true },
  SubagentStop: { ...NO_ABILITIES, deny: true },
  Stop: { ...NO_ABILITIES, deny: true },
}
