import type { AnswerShape, Dialect } from '../dialect.ts'
import { ADDITIONAL_CONTEXT, DENY_BY_PERMISSION } from '../dialect-shapes.ts'
import { VSCODE_TOOLS } from './tools.ts'

/** VS Code reads the block of a stop below `hookSpecificOutput`; Copilot CLI, which may start the same hook, above. */
const HOLD: AnswerShape<string> = (reason, name) => ({
  decision: 'block',
  reason,
  hookSpecificOutput: { hookEventName: name, decision: 'block', reason },
})

/**
 * The agent of VS Code, from its documentation. Never run with our hooks. It reads the hook files of Copilot CLI, calls
 * their events by the names of Claude Code, and ignores matchers. `ask` and a new input are documented, but nobody has
 * seen them stop or change a call: both become a deny.
 */
export const VSCODE: Dialect = {
  id: 'vscode',
  title: 'VS Code',
  notProved: true,
  eventKey: 'hookEventName',
  keys: { sessionId: 'session_id', agentId: 'agent_id', agentType: 'agent_type' },
  tools: VSCODE_TOOLS,
  notices: 'systemMessage',
  deliversTwice: true,
  events: {
    PreToolUse: { kind: 'PreToolUse', says: { deny: DENY_BY_PERMISSION, context: ADDITIONAL_CONTEXT } },
    PostToolUse: { kind: 'PostToolUse', says: { context: ADDITIONAL_CONTEXT } },
    UserPromptSubmit: { kind: 'UserPromptSubmit', says: { deny: 'exit' } },
    SessionStart: { kind: 'SessionStart', says: { context: ADDITIONAL_CONTEXT } },
    SubagentStart: { kind: 'SubagentStart', says: { context: ADDITIONAL_CONTEXT } },
    SubagentStop: { kind: 'SubagentStop', says: { deny: HOLD } },
    Stop: { kind: 'Stop', says: { deny: HOLD } },
    PreCompact: { kind: 'PreCompact' },
  },
  limits: [
    {
      kind: 'open',
      says: 'a hook that is killed, takes too long or prints invalid output lets the tool run; the installed command answers before that.',
    },
    { kind: 'prompt', says: '`ask` and a changed input become a deny.' },
  ],
}
