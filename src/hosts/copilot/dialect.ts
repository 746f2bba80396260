import { type JsonObject, textAt } from '../../core/json.ts'
import type { AnswerShape, Dialect } from '../dialect.ts'
import { BLOCK } from '../dialect-shapes.ts'
import { importingAgent } from '../importing-agent.ts'
import { COPILOT_TOOLS } from './tools.ts'

/**
 * GitHub Copilot CLI 1.0.102, with the camel-case names of its events, as it was seen to behave. Under those names it
 * reads the top level of a reply; `hookSpecificOutput` is ignored there, and the tool would run.
 */
const CONTEXT: AnswerShape<string> = (additionalContext) => ({ additionalContext })

function permission(permissionDecision: string): AnswerShape<string> {
  return (reason) => ({ permissionDecision, permissionDecisionReason: reason })
}

export const COPILOT: Dialect = {
  id: 'copilot',
  title: 'GitHub Copilot CLI',
  eventKey: undefined,
  keys: {
    sessionId: 'session_id',
    transcriptPath: 'transcript_path',
    toolName: 'tool_name',
    toolArgs: 'tool_input',
    toolInput: 'tool_input',
    toolResult: 'tool_response',
    permissionSuggestions: 'permission_suggestions',
    agentId: 'agent_id',
    agentType: 'agent_type',
    response: 'last_assistant_message',
  },
  tools: COPILOT_TOOLS,
  notices: 'stderr',
  projectVariable: 'COPILOT_PROJECT_DIR',
  deliversTwice: true,
  events: {
    preToolUse: {
      kind: 'PreToolUse',
      says: {
        deny: permission('deny'),
        ask: permission('ask'),
        allow: permission('allow'),
        rewrite: (modifiedArgs: JsonObject) => ({ modifiedArgs }),
        context: CONTEXT,
      },
    },
    permissionRequest: {
      kind: 'PermissionRequest',
      says: {
        deny: (message) => ({ behavior: 'deny', message }),
        ask: 'silence',
        allow: () => ({ behavior: 'allow' }),
      },
    },
    postToolUse: {
      kind: 'PostToolUse',
      says: {
        context: CONTEXT,
        output: (output) => ({
          modifiedResult: {
            resultType: 'success',
            textResultForLlm: typeof output === 'string' ? output : JSON.stringify(output),
          },
        }),
      },
    },
    postToolUseFailure: { kind: 'PostToolUseFailure' },
    userPromptSubmitted: { kind: 'UserPromptSubmit', says: { deny: BLOCK, context: CONTEXT } },
    sessionStart: { kind: 'SessionStart', says: { context: CONTEXT } },
    sessionEnd: { kind: 'SessionEnd' },
    agentStop: { kind: 'Stop', says: { deny: BLOCK } },
    subagentStart: { kind: 'SubagentStart', says: { context: CONTEXT } },
    subagentStop: { kind: 'SubagentStop', says: { deny: BLOCK } },
    preCompact: { kind: 'PreCompact' },
  },
  limits: [
    {
      kind: 'open',
      says: 'a hook that takes longer than its time lets the tool run, and hooks run one after another: many calls at once share the time.',
    },
    {
      kind: 'open',
      says: 'an answer that is not valid JSON lets the tool run; any exit code other than 0 stops it.',
    },
    { kind: 'prompt', says: 'a prompt is not stopped when Holdpoint itself fails; the calls after it are.' },
    { kind: 'stop', says: 'after 8 blocks a gate at the end is ignored.' },
  ],
  // VS Code starts the hooks of this file too, in words of its own.
  answersAs: importingAgent,
  adapt: (payload) => ({ ...payload, ...parentSession(payload) }),
  // `agentStop` also comes from inside a sub-agent, where a block is not obeyed; `subagentStop` follows it.
  kindOf: (payload, name) =>
    name === 'agentStop' && textAt(payload, 'agent_id') !== undefined ? 'Unknown' : undefined,
}

/** Inside a sub-agent some events carry its id as the session, and all of them the parent's. */
function parentSession(payload: JsonObject): JsonObject {
  const [agent, parent] = [textAt(payload, 'agent_id'), textAt(payload, 'parentAgentId')]
  return agent !== undefined && parent !== undefined && payload.session_id === agent
    ? { session_id: parent }
    : {}
}
