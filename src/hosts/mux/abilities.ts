import type { EventKind } from '../../core/event.ts'
import { type Abilities, ALL_ABILITIES } from '../../core/host.ts'

/** The guards only run before a tool. */
export const MUX_EVENTS: Readonly<Partial<Record<EventKind, Abilities>>> = {
  PreToolUse: { ...ALL_ABILITIES, rewrite: false, output: false },
}
