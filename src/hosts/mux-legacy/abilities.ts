import type { EventKind } from '../../core/event.ts'
import { type Abilities, NO_ABILITIES } from '../../core/host.ts'

/** Two answers: allow and block. There is no question, so an ask is blocked. */
export const LEGACY_EVENTS: Readonly<Partial<Record<EventKind, Abilities>>> = {
  PreToolUse: { ...NO_ABILITIES, deny: true },
}
