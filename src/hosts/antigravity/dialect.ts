import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import type { Dialect } from '../dialect.ts'
import { DENY } from '../dialect-shapes.ts'
import { ANTIGRAVITY_TOOLS } from './tools.ts'

/**
 * Antigravity (`agy` 1.1), from its documentation and reports of others. Never run with our hooks. It takes a missing
 * or wrong answer for a refusal, so every answer names a decision. Where there is no opinion that is `ask`, which leaves
 * the question to the agent: `allow` would skip it.
 */
export const ANTIGRAVITY: Dialect = {
  id: 'antigravity',
  title: 'Antigravity',
  notProved: true,
  eventKey: 'hook_event_name',
  keys: { conversationId: 'session_id', transcriptPath: 'transcript_path' },
  tools: ANTIGRAVITY_TOOLS,
  notices: 'stderr',
  stopsUnmarked: true,
  events: {
    PreToolUse: {
      kind: 'PreToolUse',
      says: {
        always: { decision: 'ask' },
        deny: DENY,
        allow: (reason) => ({ decision: 'allow', reason }),
      },
    },
    PostToolUse: { kind: 'PostToolUse', says: { always: { decision: 'allow' } } },
    Stop: { kind: 'Stop', says: { always: { decision: 'allow' }, deny: DENY } },
    // Around each request to the model. Not installed.
    PreInvocation: { kind: 'Unknown' },
    PostInvocation: { kind: 'Unknown' },
  },
  limits: [
    {
      kind: 'open',
      says: 'the tool that starts a sub-agent (`invoke_subagent`) was reported to run even where a hook denies it.',
    },
    {
      kind: 'identity',
      says: 'calls of a sub-agent look like those of the main agent: rules for one role hold for both or for none.',
    },
    {
      kind: 'prompt',
      says: '`ask` and a changed input become a deny, no context reaches the model, and a call without an objection is left to the question of the agent.',
    },
    { kind: 'stop', says: 'whether a gate at the end is obeyed is not known.' },
  ],
  adapt: (payload) => ({ ...payload, ...placeOf(payload), ...callOf(payload) }),
}

function placeOf(payload: JsonObject): JsonObject {
  const [folder] = Array.isArray(payload.workspacePaths) ? payload.workspacePaths : []
  return textAt(payload, 'cwd') === undefined && typeof folder === 'string' ? { cwd: folder } : {}
}

/** The call is an object of its own. */
function callOf(payload: JsonObject): JsonObject {
  const { toolCall } = payload
  if (!isObject(toolCall)) return {}
  const { name, args } = toolCall
  return {
    ...(name === undefined ? {} : { tool_name: name }),
    ...(args === undefined ? {} : { tool_input: args }),
  }
}
