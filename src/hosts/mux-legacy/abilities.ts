import type { EventKind } from '../../event.ts'
import { type Abilities, NO_ABILITIES } from '../host.ts'

/** Two answers: allow and block. Nobody can be asked, so what would be asked is blocked. */
export const LEGACY_EVENTS: Readonly<Partial<Record<EventKind, Abilities>>> = {
  PreToolUse: { ...NO_ABILITIES, deny: true },
}
