import type { ExtendedHookType } from '../../core/formats/massgen-hook-type.ts'
import { type Abilities, NO_ABILITIES } from '../../core/host.ts'

const CONTEXT: Abilities = { ...NO_ABILITIES, context: true }
const DENY: Abilities = { ...NO_ABILITIES, deny: true }

/** MassGen's two events, and those of ours that a file with `extendedEvents` may have hooks at. */
export const MASSGEN_EVENTS: Readonly<Record<'PreToolUse' | 'PostToolUse' | ExtendedHookType, Abilities>> = {
  PreToolUse: { ...DENY, ask: true, rewrite: true, context: true },
  PostToolUse: { ...DENY, ask: true, context: true },
  PostToolUseFailure: CONTEXT,
  UserPromptSubmit: { ...DENY, context: true },
  SessionStart: CONTEXT,
  SubagentStart: CONTEXT,
  SubagentStop: DENY,
  Stop: DENY,
  PreCompact: NO_ABILITIES,
  SessionEnd: NO_ABILITIES,
}
