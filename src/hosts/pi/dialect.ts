import type { Dialect } from '../dialect.ts'
import { PLUGIN } from '../plugin-shapes.ts'
import { PI_TOOLS } from './tools.ts'

/** Pi 0.87.1 with our extension (`src/adapters/client/plugins/pi.ts`), as it was seen to behave. */
export const PI: Dialect = {
  id: 'pi',
  title: 'Pi',
  eventKey: 'hook_event_name',
  tools: PI_TOOLS,
  notices: 'stderr',
  deliversTwice: true,
  events: {
    tool_call: {
      kind: 'PreToolUse',
      says: { deny: PLUGIN.deny, ask: PLUGIN.ask, rewrite: PLUGIN.rewrite, context: PLUGIN.context },
    },
    tool_result: { kind: 'PostToolUse', says: { context: PLUGIN.context, output: PLUGIN.output } },
    input: { kind: 'UserPromptSubmit', says: { deny: PLUGIN.deny, context: PLUGIN.context } },
    session_start: { kind: 'SessionStart', says: { context: PLUGIN.context } },
    session_shutdown: { kind: 'SessionEnd' },
    agent_before_settle: { kind: 'Stop', says: { deny: PLUGIN.deny } },
  },
  limits: [
    { kind: 'prompt', says: 'without a terminal (`pi -p`) nobody can be asked: `ask` becomes a deny.' },
    {
      kind: 'open',
      says: 'extensions that are loaded after ours can change a call that was checked; with `--no-extensions` none is loaded.',
    },
  ],
  // Nobody is there to be asked.
  weakened: (event, can) => (event.raw.has_ui === true ? can : { ...can, ask: false }),
}
