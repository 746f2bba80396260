import type { SdkAdapter } from '../adapter.ts'

const NO_EVENT = 'the SDK has no such event; call `runtime.evaluate` in your program'

export const aiSdk: SdkAdapter = {
  id: 'ai',
  title: 'AI SDK',
  abilities: {
    deny: { can: 'yes', how: 'a tool error with the reason' },
    ask: { can: 'yes', how: 'tool approval (`needsApproval`), or your `ask`' },
    allow: { can: 'yes', how: "the tool's own `needsApproval` is skipped" },
    rewrite: { can: 'yes', how: "checked against the tool's `inputSchema`" },
    parallel: { can: 'yes', how: 'each has its own id' },
    output: { can: 'yes', how: 'your program and the model get the new output' },
    withhold: { can: 'yes', how: 'the model gets a tool error with the reason instead' },
    failure: { can: 'yes', how: 'below the error message' },
    toolResult: { can: 'yes', how: 'below the output, only for the model' },
    userMessage: { can: 'yes', how: 'with a courier; without one it is added to the result' },
    notice: { can: 'yes', how: '`notify`' },
    subagent: { can: 'yes', how: 'call `guardTools` for its tools, with its own `agent`' },
    subagentEvents: { can: 'no', how: NO_EVENT },
    halt: { can: 'yes', how: '`stopWhen` of the courier; later calls are denied' },
    cancel: { can: 'yes', how: '`abortSignal`' },
    prompt: { can: 'no', how: NO_EVENT },
    stop: { can: 'no', how: NO_EVENT },
    session: { can: 'no', how: NO_EVENT },
    compaction: { can: 'no', how: NO_EVENT },
  },
}

/**
 * What happens to each kind of tool: one row of the guide's table each. `before` and `after` are what its
 * test must see.
 */
export const TOOL_KINDS = {
  function: { tool: 'with `execute`', before: 'checked', after: 'checked', note: '' },
  dynamic: { tool: 'dynamic (MCP), with `execute`', before: 'checked', after: 'checked', note: '' },
  streaming: {
    tool: 'streaming (`async function*`)',
    before: 'checked',
    after: 'checked',
    note: 'the last value is the output; earlier values are held back, unless `preliminary` is `released`',
  },
  providerDefined: {
    tool: 'defined by a provider, with `execute`',
    before: 'checked',
    after: 'checked',
    note: '',
  },
  client: {
    tool: 'without `execute` (your client runs it)',
    before: 'checked',
    after: 'not checked',
    note: 'a deny, a refusal by the user and a changed input end the run with an error; `ask` becomes an approval request; pass the result to `runtime.evaluate` yourself',
  },
  providerRun: {
    tool: 'run by a provider',
    before: 'refused',
    after: 'not checked',
    note: 'no hook can check it; `guardTools` throws unless the tool is named in `unguarded`',
  },
} as const
