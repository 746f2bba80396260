import type { EventKind } from '../../core/event.ts'
import { type Abilities, NO_ABILITIES } from '../../core/host.ts'

/**
 * What Codex 0.166.0 obeys at each event, as observed with the real program or, for events that could not be
 * triggered, as in its output schemas. The schemas are strict: with one unknown field the whole answer is dropped.
 */
export interface CodexEvent extends Abilities {
  /** `permission`: hookSpecificOutput.permissionDecision. `behavior`: its `decision`. `decision`: the top-level block. */
  readonly denyBy: 'permission' | 'behavior' | 'decision' | undefined
  /** `systemMessage` is accepted. A session shows it to the user; `codex exec` does not show it. */
  readonly notice: boolean
  /** How to end the work: by `continue: false`, or by a deny if that does not end it or is rejected. */
  readonly haltBy: 'continue' | 'deny' | undefined
}

const SILENT: CodexEvent = { ...NO_ABILITIES, denyBy: undefined, notice: false, haltBy: undefined }
const NOTICE: CodexEvent = { ...SILENT, notice: true }
const CONTEXT: CodexEvent = { ...NOTICE, context: true }
const BLOCK: CodexEvent = { ...NOTICE, deny: true, denyBy: 'decision' }

export const CODEX_EVENTS: Readonly<Partial<Record<EventKind, CodexEvent>>> = {
  // `ask` and a bare `allow` are rejected there, and the tool then runs.
  PreToolUse: { ...CONTEXT, deny: true, denyBy: 'permission', haltBy: 'deny', rewrite: 'with-allow' },
  PermissionRequest: {
    ...NOTICE,
    deny: true,
    denyBy: 'behavior',
    haltBy: 'deny',
    ask: 'by-silence',
    allow: true,
  },
  // The tool has run; a deny gives the model the reason instead of its output.
  PostToolUse: { ...BLOCK, context: true, haltBy: 'deny' },
  UserPromptSubmit: { ...BLOCK, context: true, haltBy: 'continue' },
  SessionStart: { ...CONTEXT, haltBy: 'continue' },
  // The only event without an output schema: nothing is read there.
  SessionEnd: SILENT,
  // `continue: false` would undo the block.
  Stop: BLOCK,
  SubagentStop: BLOCK,
  SubagentStart: CONTEXT,
  PreCompact: NOTICE,
  PostCompact: NOTICE,
}

/** An event without a kind of ours that takes a `systemMessage` and nothing else. */
export const INTERRUPT = 'Interrupt'
