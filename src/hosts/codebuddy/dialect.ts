import { type JsonObject, textAt } from '../../core/json.ts'
import type { Dialect } from '../dialect.ts'
import { ADDITIONAL_CONTEXT, BLOCK, DENY_BY_PERMISSION, UPDATED_INPUT } from '../dialect-shapes.ts'
import { CODEBUDDY_TOOLS } from './tools.ts'

/** CodeBuddy Code 2.117.0 as it was seen to behave, started with `-p`. It has the payloads of Claude Code. */
export const CODEBUDDY: Dialect = {
  id: 'codebuddy',
  title: 'CodeBuddy Code',
  eventKey: 'hook_event_name',
  tools: CODEBUDDY_TOOLS,
  notices: 'systemMessage',
  projectVariable: 'CODEBUDDY_PROJECT_DIR',
  events: {
    PreToolUse: { kind: 'PreToolUse', says: { deny: DENY_BY_PERMISSION, rewrite: UPDATED_INPUT } },
    PostToolUse: { kind: 'PostToolUse', says: { context: ADDITIONAL_CONTEXT } },
    PostToolUseFailure: { kind: 'PostToolUseFailure' },
    UserPromptSubmit: { kind: 'UserPromptSubmit', says: { deny: 'exit', context: ADDITIONAL_CONTEXT } },
    SessionStart: { kind: 'SessionStart', says: { context: ADDITIONAL_CONTEXT } },
    SessionEnd: { kind: 'SessionEnd' },
    Stop: { kind: 'Stop', says: { deny: BLOCK } },
    SubagentStart: { kind: 'SubagentStart' },
    // A block here was seen to be ignored.
    SubagentStop: { kind: 'SubagentStop' },
    PreCompact: { kind: 'PreCompact' },
    Notification: { kind: 'Notification' },
    ConfigChange: { kind: 'ConfigChange' },
  },
  limits: [
    {
      kind: 'open',
      says: 'a hook that is killed or prints invalid output lets the tool run; the installed command answers before that.',
    },
    { kind: 'prompt', says: '`ask` becomes a deny: with `-y` the tool would run.' },
    { kind: 'stop', says: 'with `-p` a gate at the end does not hold, and a gate on sub-agents never does.' },
  ],
  adapt: (payload) => withoutMainType(payload),
}

/** The main agent is called "cli" there, which is not the name of an agent that a person has started. */
function withoutMainType(payload: JsonObject): JsonObject {
  if (payload.agent_type !== 'cli' || textAt(payload, 'agent_id') !== undefined) return payload
  const { agent_type: _cli, ...rest } = payload
  return rest
}
