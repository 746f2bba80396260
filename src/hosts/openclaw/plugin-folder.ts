import { deadlinesOf } from '../../core/deadlines.ts'
import type { EventKind } from '../../core/event.ts'

/** The files of our plugin for OpenClaw, which are the same for every home but for the settings in `index.js`. */

const DESCRIPTION = 'Checks every action of an agent against your policies before it happens.'

export const OPENCLAW_PACKAGE = json({
  name: 'holdpoint-openclaw-plugin',
  version: '1.0.0',
  private: true,
  type: 'module',
  description: DESCRIPTION,
  openclaw: { extensions: ['./index.js'] },
})

const TEXT = { type: 'string' }

export const OPENCLAW_MANIFEST = json({
  id: 'holdpoint',
  name: 'Holdpoint',
  description: DESCRIPTION,
  activation: { onStartup: true },
  // It may change the result of a tool before the model reads it.
  contracts: { agentToolResultMiddleware: ['openclaw', 'codex'] },
  configSchema: {
    type: 'object',
    additionalProperties: false,
    properties: { home: TEXT, program: TEXT },
  },
})

/** OpenClaw's name of each hook, and the event that is decided in it. Prompts are decided in two of them. */
const HOOKS: Readonly<Record<string, EventKind | undefined>> = {
  before_prompt_build: 'UserPromptSubmit',
  before_agent_run: 'UserPromptSubmit',
  before_tool_call: 'PreToolUse',
  before_agent_finalize: 'Stop',
  session_end: 'SessionEnd',
  subagent_spawned: undefined,
}

const TIMES = Object.entries(HOOKS).map(([name, event]) => [name, deadlinesOf(event).hostMs])

/**
 * Registering cannot fail: whatever is wrong is met at the first event, and stops every call from there on. Of several
 * plugins that change a call the last one counts, so this one is asked last.
 */
export const OPENCLAW_BODY = `
let hooks
const load = () =>
  (hooks ??= import(settings.plugins)
    .then(({ openclaw }) => openclaw(settings))
    .catch((error) => {
      const reason = \`Holdpoint could not be loaded, so this was stopped. Tell the user to run "npx holdpoint doctor". \${error}\`
      return {
        before_agent_run: () => ({ outcome: 'block', reason, message: reason }),
        before_tool_call: () => ({ block: true, blockReason: reason }),
      }
    }))
const at = (name) => async (event, context) => (await load())[name]?.(event, context)
export default {
  id: 'holdpoint',
  name: 'Holdpoint',
  description: ${JSON.stringify(DESCRIPTION)},
  register(api) {
    for (const [name, timeoutMs] of ${JSON.stringify(TIMES)})
      api.on(name, at(name), { priority: -1000, timeoutMs })
    api.registerAgentToolResultMiddleware?.(at('tool_result'), { runtimes: ['openclaw', 'codex'] })
  },
}
`

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
