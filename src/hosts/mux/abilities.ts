import type { EventKind } from '../../event.ts'
import { type Abilities, ALL_ABILITIES } from '../host.ts'

/** The guards stand before a tool, and nowhere else. */
export const MUX_EVENTS: Readonly<Partial<Record<EventKind, Abilities>>> = {
  PreToolUse: { ...ALL_ABILITIES, rewrite: false, output: false },
}
