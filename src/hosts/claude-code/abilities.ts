import type { EventKind } from '../../core/event.ts'
import { type Abilities, ALL_ABILITIES, NO_ABILITIES } from '../../core/host.ts'

/**
 * What Claude Code obeys at each event, as observed with the real program (2.1.325) if possible, otherwise as
 * documented. `denyBy` is the form in which a deny works.
 */
export interface ClaudeEvent extends Abilities {
  readonly denyBy: DenyForm | undefined
}

/**
 * `permission`: hookSpecificOutput.permissionDecision. `behavior`: hookSpecificOutput.decision. `decision`: the
 * top-level block. `exit`: exit code 2 with plain text, for events that read nothing else.
 */
export type DenyForm = 'permission' | 'behavior' | 'decision' | 'exit'

const NOTHING: ClaudeEvent = { ...NO_ABILITIES, denyBy: undefined }
const CONTEXT: ClaudeEvent = { ...NOTHING, context: true }
const BLOCK: ClaudeEvent = { ...NOTHING, deny: true, denyBy: 'decision' }
const EXIT: ClaudeEvent = { ...NOTHING, deny: true, denyBy: 'exit' }

export const CLAUDE_EVENTS: Readonly<Record<Exclude<EventKind, 'Unknown'>, ClaudeEvent>> = {
  PreToolUse: { ...ALL_ABILITIES, output: false, denyBy: 'permission' },
  PermissionRequest: {
    ...NOTHING,
    deny: true,
    ask: 'by-silence',
    allow: true,
    rewrite: 'with-allow',
    denyBy: 'behavior',
  },
  PermissionDenied: NOTHING,
  // The tool has run; a deny informs the model and keeps the result.
  PostToolUse: { ...BLOCK, context: true, output: true },
  PostToolUseFailure: CONTEXT,
  PostToolBatch: BLOCK,
  UserPromptSubmit: { ...BLOCK, context: true },
  UserPromptExpansion: { ...BLOCK, context: true },
  SessionStart: CONTEXT,
  SessionEnd: NOTHING,
  Setup: NOTHING,
  // Context at a stop would continue the turn, so it is never sent there.
  Stop: BLOCK,
  SubagentStop: BLOCK,
  SubagentStart: CONTEXT,
  StopFailure: NOTHING,
  PreCompact: BLOCK,
  PostCompact: NOTHING,
  PreModelSwitch: { ...NOTHING, deny: true, ask: true, allow: true, denyBy: 'permission' },
  PostModelSwitch: NOTHING,
  Notification: NOTHING,
  TeammateIdle: EXIT,
  TaskCreated: EXIT,
  TaskCompleted: EXIT,
  Elicitation: EXIT,
  ElicitationResult: EXIT,
  ConfigChange: BLOCK,
  WorktreeCreate: EXIT,
  WorktreeRemove: NOTHING,
  InstructionsLoaded: NOTHING,
  CwdChanged: NOTHING,
  FileChanged: NOTHING,
  DirectoryAdded: NOTHING,
  MessageDisplay: NOTHING,
}
