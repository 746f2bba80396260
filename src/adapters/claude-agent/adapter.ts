import type { SdkAdapter } from '../adapter.ts'

export const claudeAgentSdk: SdkAdapter = {
  id: 'claude-agent',
  title: 'Claude Agent SDK',
  abilities: {
    deny: { can: 'yes', how: 'an error result with the reason' },
    ask: { can: 'yes', how: '`canUseTool` of `holdpointOptions`; without it the call is denied' },
    allow: { can: 'yes', how: '`permissionDecision: "allow"`' },
    rewrite: { can: 'yes', how: '`updatedInput`; the usual permission rules still apply' },
    parallel: { can: 'yes', how: 'each has its own id' },
    output: {
      can: 'yes',
      how: "`updatedToolOutput`: a text for MCP tools and the shell, the tool's own format for other built-in tools",
    },
    withhold: { can: 'partly', how: 'the model sees the reason and the output' },
    failure: { can: 'yes', how: '`additionalContext`' },
    toolResult: { can: 'partly', how: 'a message next to the result' },
    userMessage: { can: 'yes', how: '`additionalContext`, a message next to the result' },
    notice: { can: 'yes', how: '`systemMessage`: an `informational` message of the query' },
    subagent: { can: 'yes', how: '`agent_id` and `agent_type`' },
    subagentEvents: { can: 'yes', how: 'SubagentStart, SubagentStop' },
    halt: { can: 'yes', how: '`continue: false`' },
    cancel: { can: 'yes', how: 'the `signal` of the callback' },
    prompt: { can: 'yes', how: 'UserPromptSubmit' },
    stop: { can: 'yes', how: 'Stop, SubagentStop' },
    session: { can: 'no', how: 'registered, but the SDK calls no callback at these events' },
    compaction: { can: 'yes', how: 'PreCompact' },
  },
}
