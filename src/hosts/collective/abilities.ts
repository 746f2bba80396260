import type { EventKind } from '../../core/event.ts'
import { type Abilities, NO_ABILITIES } from '../../core/host.ts'

const CONTEXT: Abilities = { ...NO_ABILITIES, context: true }
const DENY: Abilities = { ...NO_ABILITIES, deny: true }

/** The events at which the collective has a hook, and the end of a turn, where its orchestration may end too. */
export const COLLECTIVE_EVENTS: Readonly<Partial<Record<EventKind, Abilities>>> = {
  SessionStart: CONTEXT,
  UserPromptSubmit: { ...DENY, context: true },
  PreToolUse: DENY,
  PostToolUse: { ...DENY, context: true },
  PostToolUseFailure: CONTEXT,
  PreCompact: NO_ABILITIES,
  SubagentStart: CONTEXT,
  SubagentStop: DENY,
  Stop: DENY,
  SessionEnd: NO_ABILITIES,
}
