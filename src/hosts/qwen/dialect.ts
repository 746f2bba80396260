import { type JsonObject, textAt } from '../../core/json.ts'
import type { AnswerShape, Dialect } from '../dialect.ts'
import { ADDITIONAL_CONTEXT, ASK_BY_PERMISSION, BLOCK, specific } from '../dialect-shapes.ts'
import { QWEN_TOOLS } from './tools.ts'

/**
 * Qwen Code 0.24.4 as it was seen to behave. Of several hooks the last one that decides wins, so a deny is said in both
 * of its forms and an allow never: it would take back what another hook has denied.
 */
const DENY_TWICE: AnswerShape<string> = (reason, name) => ({
  decision: 'deny',
  reason,
  hookSpecificOutput: {
    hookEventName: name,
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  },
})

export const QWEN: Dialect = {
  id: 'qwen',
  title: 'Qwen Code',
  eventKey: 'hook_event_name',
  tools: QWEN_TOOLS,
  notices: 'systemMessage',
  projectVariable: 'QWEN_PROJECT_DIR',
  events: {
    PreToolUse: { kind: 'PreToolUse', says: { deny: DENY_TWICE, ask: ASK_BY_PERMISSION } },
    PermissionRequest: {
      kind: 'PermissionRequest',
      says: {
        deny: specific((message: string) => ({ decision: { behavior: 'deny', message } })),
        ask: 'silence',
        allow: specific((_reason: string) => ({ decision: { behavior: 'allow' } })),
      },
    },
    PostToolUse: { kind: 'PostToolUse', says: { context: ADDITIONAL_CONTEXT } },
    PostToolUseFailure: { kind: 'PostToolUseFailure' },
    PostToolBatch: { kind: 'PostToolBatch' },
    PermissionDenied: { kind: 'PermissionDenied' },
    UserPromptSubmit: { kind: 'UserPromptSubmit', says: { deny: BLOCK, context: ADDITIONAL_CONTEXT } },
    UserPromptExpansion: { kind: 'UserPromptExpansion' },
    SessionStart: { kind: 'SessionStart', says: { context: ADDITIONAL_CONTEXT } },
    SessionEnd: { kind: 'SessionEnd' },
    Stop: { kind: 'Stop', says: { deny: BLOCK } },
    StopFailure: { kind: 'StopFailure' },
    SubagentStart: { kind: 'SubagentStart' },
    SubagentStop: { kind: 'SubagentStop', says: { deny: BLOCK } },
    PreCompact: { kind: 'PreCompact' },
    PostCompact: { kind: 'PostCompact' },
    Notification: { kind: 'Notification' },
    InstructionsLoaded: { kind: 'InstructionsLoaded' },
  },
  limits: [
    {
      kind: 'open',
      says: 'a hook that is killed, takes too long or prints invalid output lets the tool run; the installed command answers before that.',
    },
    {
      kind: 'open',
      says: 'another hook that comes later and says `allow` takes back a deny. Keep Holdpoint the last hook before a call, or the only one.',
    },
    { kind: 'stop', says: 'after 8 blocks a gate at the end is ignored.' },
  ],
  adapt: (payload) => ({ ...payload, ...typeOf(payload) }),
}

/** On tool calls the type of a sub-agent stands only in its id: the type, then the id of the call that started it. */
function typeOf(payload: JsonObject): JsonObject {
  const id = textAt(payload, 'agent_id')
  if (id === undefined || textAt(payload, 'agent_type') !== undefined) return {}
  const type = /^(.+?)-(?:call|toolu|chatcmpl|fc)[-_]/.exec(id)?.[1] ?? /^(.+)-[^-]+$/.exec(id)?.[1]
  return type === undefined ? {} : { agent_type: type }
}
