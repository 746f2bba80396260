import type { Dialect } from '../dialect.ts'
import { PLUGIN } from '../plugin-shapes.ts'
import { OPENCLAW_TOOLS } from './tools.ts'

/** OpenClaw 2026.9.6 with our plugin (`src/adapters/client/plugins/openclaw.ts`), as it was seen to behave. */
export const OPENCLAW: Dialect = {
  id: 'openclaw',
  title: 'OpenClaw',
  eventKey: 'hook_event_name',
  tools: OPENCLAW_TOOLS,
  notices: 'stderr',
  deliversTwice: true,
  events: {
    before_tool_call: {
      kind: 'PreToolUse',
      says: { deny: PLUGIN.deny, ask: PLUGIN.ask, rewrite: PLUGIN.rewrite, context: PLUGIN.context },
    },
    tool_result: { kind: 'PostToolUse', says: { context: PLUGIN.context, output: PLUGIN.output } },
    before_agent_run: { kind: 'UserPromptSubmit', says: { deny: PLUGIN.deny, context: PLUGIN.context } },
    session_start: { kind: 'SessionStart', says: { context: PLUGIN.context } },
    session_end: { kind: 'SessionEnd' },
    before_agent_finalize: { kind: 'Stop', says: { deny: PLUGIN.deny } },
    subagent_start: { kind: 'SubagentStart', says: { context: PLUGIN.context } },
    subagent_finalize: { kind: 'SubagentStop', says: { deny: PLUGIN.deny } },
  },
  limits: [
    {
      kind: 'open',
      says: 'other plugins can change a call that was checked, and it goes on without a plugin whose folder is gone; `holdpoint doctor` says whether it has loaded ours.',
    },
    {
      kind: 'open',
      says: 'if another agent program is its backend (such as Claude Code), what that one does is not seen here.',
      instead: 'Install Holdpoint for that agent too.',
    },
    {
      kind: 'prompt',
      says: 'without a surface for approvals (`openclaw agent --local`) nobody can be asked: it denies, without the reason.',
    },
    { kind: 'stop', says: 'a gate holds the agent three times, then it ends.' },
  ],
}
