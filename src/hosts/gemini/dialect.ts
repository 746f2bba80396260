import { isObject, textAt } from '../../core/json.ts'
import type { Dialect } from '../dialect.ts'
import { ADDITIONAL_CONTEXT, DENY, specific } from '../dialect-shapes.ts'
import { GEMINI_TOOLS } from './tools.ts'

/**
 * Gemini CLI 0.61.0 as it was seen to behave. `ask` is never said: it turns a refusal of its own policies into a
 * question, and without a person it ends the session in silence.
 */
export const GEMINI: Dialect = {
  id: 'gemini',
  title: 'Gemini CLI',
  eventKey: 'hook_event_name',
  keys: { prompt_response: 'last_assistant_message' },
  tools: GEMINI_TOOLS,
  notices: 'systemMessage',
  projectVariable: 'GEMINI_PROJECT_DIR',
  events: {
    BeforeTool: {
      kind: 'PreToolUse',
      says: { deny: DENY, rewrite: specific((tool_input) => ({ tool_input })) },
    },
    AfterTool: { kind: 'PostToolUse', says: { deny: DENY, context: ADDITIONAL_CONTEXT } },
    BeforeAgent: { kind: 'UserPromptSubmit', says: { deny: DENY, context: ADDITIONAL_CONTEXT } },
    AfterAgent: { kind: 'Stop', says: { deny: DENY } },
    SessionStart: { kind: 'SessionStart', says: { context: ADDITIONAL_CONTEXT } },
    SessionEnd: { kind: 'SessionEnd' },
    PreCompress: { kind: 'PreCompact' },
    Notification: { kind: 'Notification' },
  },
  limits: [
    {
      kind: 'open',
      says: 'a hook that is killed, takes too long or prints invalid output lets the tool run; the installed command answers before that.',
    },
    {
      kind: 'open',
      says: 'in a folder that is not trusted no hook runs. Trust the folder before you rely on a rule.',
    },
    {
      kind: 'identity',
      says: 'calls of a sub-agent look like those of the main agent: rules for one role hold for both or for none.',
      instead: 'To keep sub-agents out, deny the tool Agent.',
    },
    { kind: 'prompt', says: '`ask` becomes a deny.' },
  ],
  mcpTool(_name, payload) {
    const context = payload.mcp_context
    if (!isObject(context)) return undefined
    const [server, tool] = [textAt(context, 'server_name'), textAt(context, 'tool_name')]
    return server === undefined || tool === undefined ? undefined : { server, tool }
  },
}
