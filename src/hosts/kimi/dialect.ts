import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import type { Dialect } from '../dialect.ts'
import { DENY_BY_PERMISSION } from '../dialect-shapes.ts'
import { KIMI_TOOLS } from './tools.ts'

/** Kimi Code 2.1.0 as it was seen to behave. */
export const KIMI: Dialect = {
  id: 'kimi',
  title: 'Kimi Code',
  eventKey: 'hook_event_name',
  keys: {
    tool_call_id: 'tool_use_id',
    tool_output: 'tool_response',
    agent_name: 'agent_type',
    response: 'last_assistant_message',
  },
  tools: KIMI_TOOLS,
  notices: 'stderr',
  events: {
    PreToolUse: { kind: 'PreToolUse', says: { deny: DENY_BY_PERMISSION } },
    PostToolUse: { kind: 'PostToolUse' },
    PostToolUseFailure: { kind: 'PostToolUseFailure' },
    PermissionRequest: { kind: 'PermissionRequest' },
    UserPromptSubmit: { kind: 'UserPromptSubmit', says: { deny: 'exit', context: 'plain' } },
    SessionStart: { kind: 'SessionStart' },
    SessionEnd: { kind: 'SessionEnd' },
    Stop: { kind: 'Stop', says: { deny: 'exit' } },
    StopFailure: { kind: 'StopFailure' },
    SubagentStart: { kind: 'SubagentStart' },
    SubagentStop: { kind: 'SubagentStop' },
    PreCompact: { kind: 'PreCompact' },
    PostCompact: { kind: 'PostCompact' },
    Notification: { kind: 'Notification' },
  },
  limits: [
    {
      kind: 'open',
      says: 'a hook that is killed, takes too long or prints invalid output lets the tool run; the installed command answers before that.',
    },
    {
      kind: 'identity',
      says: 'calls of a sub-agent look like those of the main agent: rules for one role hold for both or for none.',
      instead: 'To keep sub-agents out, deny the tool Agent.',
    },
    { kind: 'prompt', says: '`ask` and a changed input become a deny.' },
    { kind: 'stop', says: 'a gate at the end holds once; the second time the agent stops.' },
  ],
  adapt: (payload) => ({ ...payload, ...promptText(payload), ...identity(payload) }),
}

/** A prompt is a list of parts. */
function promptText({ prompt }: JsonObject): JsonObject {
  if (!Array.isArray(prompt)) return {}
  return { prompt: prompt.map(textOfPart).join('\n') }
}

function textOfPart(part: Json): string {
  return (isObject(part) ? textAt(part, 'text') : undefined) ?? ''
}

/** Sub-agents have no id, only a name, and that only where they start and end. */
function identity(payload: JsonObject): JsonObject {
  const name = textAt(payload, 'agent_name')
  return name === undefined ? {} : { agent_id: name }
}
