import type { Dialect } from '../dialect.ts'
import { PLUGIN } from '../plugin-shapes.ts'
import { CLINE_TOOLS } from './tools.ts'

/** Cline 3.0.65 with our plugin (`src/adapters/client/plugins/cline.ts`), as it was seen to behave. */
export const CLINE: Dialect = {
  id: 'cline',
  title: 'Cline',
  eventKey: 'hook_event_name',
  tools: CLINE_TOOLS,
  notices: 'stderr',
  deliversTwice: true,
  events: {
    beforeTool: {
      kind: 'PreToolUse',
      says: { deny: PLUGIN.deny, rewrite: PLUGIN.rewrite, context: PLUGIN.context },
    },
    afterTool: { kind: 'PostToolUse', says: { context: PLUGIN.context, output: PLUGIN.output } },
    beforeRun: { kind: 'UserPromptSubmit', says: { deny: PLUGIN.deny, context: PLUGIN.context } },
    sessionStart: { kind: 'SessionStart', says: { context: PLUGIN.context } },
    afterRun: { kind: 'Stop' },
    subagentStart: { kind: 'SubagentStart', says: { context: PLUGIN.context } },
    subagentStop: { kind: 'SubagentStop' },
  },
  limits: [
    {
      kind: 'open',
      says: 'it goes on without a plugin that does not load in four seconds; `holdpoint doctor` says whether it has loaded ours.',
      instead: 'On a slow machine, set CLINE_PLUGIN_IMPORT_TIMEOUT_MS=30000 for it.',
    },
    { kind: 'open', says: 'plugins that are loaded after ours can change a call that was checked.' },
    {
      kind: 'prompt',
      says: '`ask` becomes a deny: with auto-approve, which is its default, it would answer the question itself.',
    },
    {
      kind: 'prompt',
      says: 'it waits three seconds for a plugin: a hook that takes longer than that before a call denies it.',
    },
    { kind: 'stop', says: 'the end of a run is only seen: a gate cannot hold the agent.' },
  ],
}
