import { type JsonObject, textAt } from '../../core/json.ts'
import { wordSet } from '../../core/word-list.ts'
import type { AnswerShape, Dialect } from '../dialect.ts'
import { ADDITIONAL_CONTEXT, BLOCK, DENY, UPDATED_INPUT } from '../dialect-shapes.ts'
import { GROK_TOOLS } from './tools.ts'

/**
 * Grok Build 1.0.41 as it was seen to behave. Its payload has both its own keys and those of Claude Code, and it also
 * starts the hooks that stand in the settings of Claude Code.
 */
const ASK: AnswerShape<string> = (reason) => ({ decision: 'ask', reason })

export const GROK: Dialect = {
  id: 'grok',
  title: 'Grok Build',
  eventKey: 'hook_event_name',
  keys: {
    sessionId: 'session_id',
    transcriptPath: 'transcript_path',
    permissionMode: 'permission_mode',
    promptId: 'prompt_id',
    toolName: 'tool_name',
    toolInput: 'tool_input',
    toolUseId: 'tool_use_id',
    toolResult: 'tool_response',
    durationMs: 'duration_ms',
    subagentId: 'agent_id',
    subagentType: 'agent_type',
    stopHookActive: 'stop_hook_active',
    lastAssistantMessage: 'last_assistant_message',
    notificationType: 'notification_type',
  },
  tools: GROK_TOOLS,
  notices: 'stderr',
  projectVariable: 'GROK_WORKSPACE_ROOT',
  // Once from its own folder of hooks, once from the settings of Claude Code.
  deliversTwice: true,
  events: {
    PreToolUse: {
      kind: 'PreToolUse',
      says: { deny: DENY, ask: ASK, rewrite: UPDATED_INPUT, context: ADDITIONAL_CONTEXT },
    },
    PostToolUse: { kind: 'PostToolUse', says: { context: ADDITIONAL_CONTEXT } },
    PostToolUseFailure: { kind: 'PostToolUseFailure' },
    PermissionDenied: { kind: 'PermissionDenied' },
    UserPromptSubmit: { kind: 'UserPromptSubmit', says: { deny: 'exit' } },
    SessionStart: { kind: 'SessionStart' },
    SessionEnd: { kind: 'SessionEnd' },
    SubagentStart: { kind: 'SubagentStart' },
    SubagentStop: { kind: 'SubagentStop', says: { deny: BLOCK } },
    Stop: { kind: 'Stop', says: { deny: BLOCK } },
    StopFailure: { kind: 'StopFailure' },
    Notification: { kind: 'Notification' },
    PreCompact: { kind: 'PreCompact' },
    PostCompact: { kind: 'PostCompact' },
  },
  limits: [
    {
      kind: 'open',
      says: 'a hook that is killed, takes too long or prints invalid output lets the tool run; the installed command answers before that.',
    },
    {
      kind: 'prompt',
      says: '`ask` becomes a deny with --always-approve, where the tool would run; without a person there it ends the session.',
    },
    {
      kind: 'identity',
      says: 'a sub-agent has a session of its own: what is counted for a session is counted apart.',
    },
    { kind: 'stop', says: 'after 8 blocks a gate at the end is ignored.' },
  ],
  adapt: (payload) => ({ ...payload, ...identity(payload), ...wholeInput(payload) }),
  // At the end of the session it says so once more, and waits for no answer.
  kindOf: (payload, name) => (name === 'Stop' && payload.reason === 'shutdown' ? 'Unknown' : undefined),
  mcpTool(name) {
    const [server, tool] = name.split(/__(.*)/s)
    return server && tool && server !== 'mcp' ? { server, tool } : undefined
  },
  weakened: (event, can) => (ASKING_MODES.has(event.permissionMode ?? '') ? can : { ...can, ask: false }),
}

/** In every other mode, and where none is named, the tool would run. */
const ASKING_MODES = wordSet('default acceptEdits auto plan dontAsk')

/** A sub-agent is known by its type; its id is that of the session it has to itself. */
function identity(payload: JsonObject): JsonObject {
  const isSubagent = textAt(payload, 'agent_type') !== undefined && textAt(payload, 'agent_id') === undefined
  return isSubagent && payload.session_id !== undefined ? { agent_id: payload.session_id } : {}
}

/** What was cut off cannot be judged, so it is not taken for the input. */
function wholeInput(payload: JsonObject): JsonObject {
  return payload.toolInputTruncated === true ? { tool_input: 'cut off by the agent' } : {}
}
