import { type JsonObject, textAt } from '../../core/json.ts'
import type { Dialect } from '../dialect.ts'
import { BLOCK } from '../dialect-shapes.ts'
import { GOOSE_TOOLS } from './tools.ts'

/** Goose 1.52.0 as it was seen to behave. It reads hooks of plugins, as open-plugins.com has them. */
export const GOOSE: Dialect = {
  id: 'goose',
  title: 'Goose',
  eventKey: 'event',
  keys: {
    working_dir: 'cwd',
    message: 'prompt',
    tool_call_id: 'tool_use_id',
  },
  tools: GOOSE_TOOLS,
  notices: 'stderr',
  stopsUnmarked: true,
  events: {
    PreToolUse: { kind: 'PreToolUse', says: { deny: BLOCK } },
    PostToolUse: { kind: 'PostToolUse' },
    PostToolUseFailure: { kind: 'PostToolUseFailure' },
    // An exit code or a block was seen to be ignored here.
    UserPromptSubmit: { kind: 'UserPromptSubmit' },
    SessionStart: { kind: 'SessionStart' },
    SessionEnd: { kind: 'SessionEnd' },
    Stop: { kind: 'Stop', says: { deny: BLOCK } },
    // The same calls once more, at a moment when nothing can be stopped.
    BeforeShellExecution: { kind: 'Unknown' },
    AfterShellExecution: { kind: 'Unknown' },
    BeforeReadFile: { kind: 'Unknown' },
    AfterFileEdit: { kind: 'Unknown' },
  },
  limits: [
    {
      kind: 'unseen',
      says: 'what a sub-agent does is not seen at all: no rule holds there.',
      instead: 'To keep sub-agents out, deny the tool Agent (`delegate`).',
    },
    {
      kind: 'open',
      says: 'a hook that is killed, takes too long or prints invalid output lets the tool run; the installed command answers before that.',
    },
    {
      kind: 'prompt',
      says: '`ask` and a changed input become a deny, no context reaches the model, and a prompt cannot be stopped.',
    },
  ],
  adapt: (payload) => ({ ...payload, ...ownSession(payload) }),
}

/** It counts its sessions by day (`20261116_1`): without its name they could be those of another agent. */
function ownSession(payload: JsonObject): JsonObject {
  const session = textAt(payload, 'session_id')
  return session === undefined ? {} : { session_id: `goose-${session}` }
}
