import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import type { AnswerShape, Dialect, Shapes } from '../dialect.ts'
import { importingAgent } from '../importing-agent.ts'
import { CURSOR_TOOLS } from './tools.ts'

/**
 * Cursor, from its documentation and the source of its SDK 1.0.32. Never run with our hooks. So only what is plain is
 * said: `ask` counts at one event alone, and a new input is taken in part, so both become a deny.
 */
const DENY: AnswerShape<string> = (reason) => ({
  permission: 'deny',
  user_message: reason,
  agent_message: reason,
})
const CONTEXT: AnswerShape<string> = (text) => ({ additional_context: text })
const FOLLOW_UP: AnswerShape<string> = (followup_message) => ({ followup_message })

/** An empty answer is a failure there, and our entries fail closed. */
function says(shapes: Shapes): Shapes {
  return { ...shapes, always: {} }
}

export const CURSOR: Dialect = {
  id: 'cursor',
  title: 'Cursor',
  notProved: true,
  eventKey: 'hook_event_name',
  keys: {
    conversation_id: 'session_id',
    tool_output: 'tool_response',
    error_message: 'error',
    subagent_id: 'agent_id',
    subagent_type: 'agent_type',
    summary: 'last_assistant_message',
  },
  tools: CURSOR_TOOLS,
  notices: 'stderr',
  projectVariable: 'CURSOR_PROJECT_DIR',
  deliversTwice: true,
  events: {
    preToolUse: { kind: 'PreToolUse', says: says({ deny: DENY, context: CONTEXT }) },
    postToolUse: { kind: 'PostToolUse', says: says({ context: CONTEXT }) },
    postToolUseFailure: { kind: 'PostToolUseFailure', says: says({}) },
    beforeSubmitPrompt: {
      kind: 'UserPromptSubmit',
      says: says({ deny: (user_message) => ({ continue: false, user_message }) }),
    },
    sessionStart: { kind: 'SessionStart', says: says({ context: CONTEXT }) },
    sessionEnd: { kind: 'SessionEnd', says: says({}) },
    subagentStart: { kind: 'SubagentStart', says: says({ deny: DENY }) },
    subagentStop: { kind: 'SubagentStop', says: says({ deny: FOLLOW_UP }) },
    stop: { kind: 'Stop', says: says({ deny: FOLLOW_UP }) },
    preCompact: { kind: 'PreCompact', says: says({}) },
    // The same calls once more. Not installed; judged where somebody wrote such an entry by hand.
    beforeShellExecution: { kind: 'PreToolUse', says: says({ deny: DENY }) },
    beforeMCPExecution: { kind: 'PreToolUse', says: says({ deny: DENY }) },
    beforeReadFile: { kind: 'PreToolUse', says: says({ deny: DENY }) },
  },
  limits: [
    {
      kind: 'unseen',
      says: 'what is typed into a shell that already runs (`WriteShellStdin`) is not shown to hooks.',
      instead: 'To rule that out, deny the tool WriteShellStdin.',
    },
    {
      kind: 'identity',
      says: 'calls of a sub-agent look like those of a main agent: rules for one role hold for both or for none.',
      instead: 'To keep sub-agents out, deny the tool Agent (`Task`).',
    },
    { kind: 'prompt', says: '`ask` and a changed input become a deny.' },
    {
      kind: 'stop',
      says: 'after 5 messages a gate at the end is ignored, and agents in the cloud have none.',
    },
  ],
  // Grok Build starts the hooks of this file too.
  answersAs: (payload) => (importingAgent(payload) === 'grok' ? 'grok' : undefined),
  adapt: (payload, name) => ({
    ...payload,
    ...placeOf(payload),
    ...outerSession(payload),
    ...(typeof payload.tool_input === 'string' ? { tool_input: parsed(payload.tool_input) } : {}),
    ...callAt(payload, name),
    ...(typeof payload.loop_count === 'number' && payload.loop_count > 0 ? { stop_hook_active: true } : {}),
  }),
  mcpTool(name, payload) {
    if (name.startsWith('MCP:'))
      return { server: textAt(payload, 'mcp_server_name') ?? 'cursor', tool: name.slice(4) }
    const server = textAt(payload, 'mcp_server_name')
    return server === undefined ? undefined : { server, tool: name }
  },
}

/** `cwd` is often empty; the folders of the window are not. */
function placeOf(payload: JsonObject): JsonObject {
  const [root] = Array.isArray(payload.workspace_roots) ? payload.workspace_roots : []
  return textAt(payload, 'cwd') === undefined && typeof root === 'string' ? { cwd: root } : {}
}

function outerSession(payload: JsonObject): JsonObject {
  const parent = textAt(payload, 'parent_conversation_id')
  return parent === undefined ? {} : { session_id: parent }
}

/** The events of one tool do not name it. */
function callAt(payload: JsonObject, name: string): JsonObject {
  const { command, cwd, file_path } = payload
  if (name === 'beforeShellExecution' && command !== undefined)
    return { tool_name: 'Shell', tool_input: { command, ...(cwd ? { cwd } : {}) } }
  if (name === 'beforeReadFile' && file_path !== undefined)
    return { tool_name: 'Read', tool_input: { file_path } }
  return {}
}

/** An input that is not an object stays what it is, and is refused. */
function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : text
  } catch {
    return text
  }
}
