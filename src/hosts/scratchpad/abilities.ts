import type { EventKind } from '../../event.ts'
import { type Abilities, NO_ABILITIES } from '../host.ts'

/** The four moments of the scratchpad protocol: two that take context, two that can be held. */
export const SCRATCHPAD_EVENTS: Readonly<Partial<Record<EventKind, Abilities>>> = {
  SessionStart: { ...NO_ABILITIES, context: true },
  SubagentStart: { ...NO_ABILITIES, context: true },
  SubagentStop: { ...NO_ABILITIES, deny: true },
  Stop: { ...NO_ABILITIES, deny: true },
}
