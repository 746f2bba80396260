import type { SdkAdapter } from '../adapter.ts'

const NO_EVENT = 'no such moment in the SDK: call `runtime.evaluate` where your program has it'

export const aiSdk: SdkAdapter = {
  id: 'ai',
  title: 'AI SDK 6',
  abilities: {
    deny: { can: 'yes', how: 'a tool error with the reason' },
    ask: { can: 'yes', how: 'tool approval (`needsApproval`), or your `ask`' },
    allow: { can: 'yes', how: "the tool's own `needsApproval` is left out" },
    rewrite: { can: 'yes', how: "checked against the tool's `inputSchema`" },
    parallel: { can: 'yes', how: 'each by its own id' },
    output: { can: 'yes', how: 'the program and the model get the new one' },
    withhold: { can: 'yes', how: 'a tool error with the reason stands in its place' },
    failure: { can: 'yes', how: 'below the message of the error' },
    toolResult: { can: 'yes', how: "below the tool's output, for the model only" },
    userMessage: { can: 'yes', how: 'with a courier; without one it stands in the result' },
    notice: { can: 'yes', how: '`notify`' },
    subagent: { can: 'yes', how: 'guard its tools with its own `agent`' },
    subagentEvents: { can: 'no', how: NO_EVENT },
    halt: { can: 'yes', how: "the courier's `stopWhen`; later calls are denied" },
    cancel: { can: 'yes', how: '`abortSignal`' },
    prompt: { can: 'no', how: NO_EVENT },
    stop: { can: 'no', how: NO_EVENT },
    session: { can: 'no', how: NO_EVENT },
    compaction: { can: 'no', how: NO_EVENT },
  },
}

/** What becomes of each kind of tool, a row of the guide each; `before` and `after` are what its test must see. */
export const TOOL_KINDS = {
  function: { tool: 'with `execute`', before: 'judged', after: 'judged', note: '' },
  dynamic: { tool: 'dynamic (MCP), with `execute`', before: 'judged', after: 'judged', note: '' },
  streaming: {
    tool: 'streaming (`async function*`)',
    before: 'judged',
    after: 'judged',
    note: 'the last value is its output; what comes on the way is held back, or released if you say so',
  },
  providerDefined: {
    tool: 'defined by a provider, with `execute`',
    before: 'judged',
    after: 'judged',
    note: '',
  },
  client: {
    tool: 'without `execute` (your client runs it)',
    before: 'judged',
    after: 'not seen',
    note: 'a deny, a no or a changed input ends the run with an error; `ask` becomes a request for approval; send the result through `runtime.evaluate`',
  },
  providerRun: {
    tool: 'run by a provider',
    before: 'refused',
    after: 'not seen',
    note: '`guardTools` throws unless the tool is named in `unguarded`: nobody can judge it',
  },
} as const
