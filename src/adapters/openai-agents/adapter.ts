import type { SdkAdapter } from '../adapter.ts'

const NO_EVENT = 'the SDK has no such event; call `runtime.evaluate` in your program'

export const openaiAgentsSdk: SdkAdapter = {
  id: 'openai-agents',
  title: 'OpenAI Agents SDK',
  abilities: {
    deny: { can: 'yes', how: 'the reason is the result of the call' },
    ask: { can: 'yes', how: 'an interruption (`needsApproval`), or your `ask`' },
    allow: { can: 'yes', how: "the tool's own `needsApproval` is skipped" },
    rewrite: { can: 'yes', how: "checked against the tool's `parameters`" },
    parallel: { can: 'yes', how: 'each has its own id' },
    output: { can: 'yes', how: 'your program and the model get the new output' },
    withhold: { can: 'yes', how: 'the reason is the result instead' },
    failure: {
      can: 'yes',
      how: 'with `errorFunction: toolError`; otherwise the error is an output for hooks',
    },
    toolResult: { can: 'yes', how: 'below the output' },
    userMessage: { can: 'yes', how: 'with a courier; without one it is added to the result' },
    notice: { can: 'yes', how: '`notify`' },
    subagent: { can: 'yes', how: 'handoffs, and `asTool` of a guarded agent' },
    subagentEvents: { can: 'yes', how: 'SubagentStart, SubagentStop' },
    halt: { can: 'yes', how: 'the text is the final output; later calls are denied' },
    cancel: { can: 'yes', how: '`signal`, for `guardAgent` and for `run`' },
    prompt: { can: 'yes', how: 'an input guardrail; a deny throws `InputGuardrailTripwireTriggered`' },
    stop: { can: 'no', how: 'an output guardrail can only end the run; call `runtime.evaluate` after it' },
    session: { can: 'no', how: NO_EVENT },
    compaction: { can: 'no', how: NO_EVENT },
  },
}

/** What happens to each kind of tool: one row of the guide's table each, as its test must see it. */
export const OPENAI_TOOL_KINDS = {
  function: { tool: 'function (`tool`)', before: 'checked', after: 'checked', note: '' },
  mcp: { tool: 'of an MCP server in `mcpServers`', before: 'checked', after: 'checked', note: '' },
  agent: {
    tool: 'an agent (`asTool` of a guarded agent)',
    before: 'checked',
    after: 'checked',
    note: 'hooks see a call of `Agent`; the calls of that agent have its name',
  },
  unguardedAgent: {
    tool: 'an agent (`asTool` of another agent)',
    before: 'refused',
    after: 'not checked',
    note: 'no hook would check its calls; `guardAgent` throws unless the tool is named in `unguarded`',
  },
  shell: {
    tool: 'local shell (`shellTool`)',
    before: 'checked',
    after: 'checked',
    note: 'hooks see a call of `Bash`',
  },
  patch: {
    tool: '`applyPatchTool`',
    before: 'checked',
    after: 'checked',
    note: 'hooks see a call of `apply_patch`; they cannot change it',
  },
  sandbox: {
    tool: 'capabilities of a `SandboxAgent`',
    before: 'checked',
    after: 'checked',
    note: '',
  },
  computer: {
    tool: '`computerTool`',
    before: 'refused',
    after: 'not checked',
    note: 'the SDK lets no hook deny an action; `guardAgent` throws unless the tool is named in `unguarded`',
  },
  hosted: {
    tool: 'run by a provider (`webSearchTool`, `hostedMcpTool`, a hosted shell)',
    before: 'refused',
    after: 'not checked',
    note: 'no hook can check it; `guardAgent` throws unless the tool is named in `unguarded`',
  },
} as const
