import type { EventBase, EventOf, ToolCall } from '../../core/event.ts'
import type { Abilities } from '../../core/host.ts'
import type { JsonObject } from '../../core/json.ts'
import type { GateOptions, ToolUse } from './conversation.ts'

/** A tool call as events, and what the gate can do at each. */

/** The host in records. */
const HOST = 'mcp'

/** Agents write other characters of a tool's name as `_`, and rules are written for those names. */
export function eventTool(server: string, tool: string): string {
  return `mcp__${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`
}

/** The user is asked through the client, if the client supports that. Context waits for the result. */
export function beforeUseCan(canAsk: boolean): Abilities {
  return { deny: true, ask: canAsk, allow: true, rewrite: true, context: true, output: false }
}

/** Also after a failure: the model gets the server's error text like any other result. */
export const AFTER_USE_CAN: Abilities = {
  deny: true,
  ask: false,
  allow: true,
  rewrite: false,
  context: true,
  output: true,
}

export function beforeUse(gate: GateOptions, use: ToolUse): EventOf<'PreToolUse'> {
  return { ...base(gate, use, 'PreToolUse'), tool: callOf(gate, use) }
}

export function afterUse(gate: GateOptions, use: ToolUse, result: JsonObject): EventOf<'PostToolUse'> {
  const durationMs = gate.now() - use.startedMs
  return { ...base(gate, use, 'PostToolUse'), tool: callOf(gate, use), output: result, durationMs }
}

export function afterFailure(
  gate: GateOptions,
  use: ToolUse,
  error: string,
  interrupted = false,
): EventOf<'PostToolUseFailure'> {
  const kind = 'PostToolUseFailure'
  const durationMs = gate.now() - use.startedMs
  const said = { error, is_interrupt: interrupted }
  return { ...base(gate, use, kind, said), tool: callOf(gate, use), error, interrupted, durationMs }
}

/** The user was asked and did not say yes. */
export function notPermitted(gate: GateOptions, use: ToolUse, reason: string): EventOf<'PermissionDenied'> {
  return { ...base(gate, use, 'PermissionDenied', { reason }), tool: callOf(gate, use), reason }
}

function callOf({ server }: GateOptions, { tool, input, useId }: ToolUse): ToolCall {
  return { name: eventTool(server, tool), input, useId, server }
}

type ToolEventKind = 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PermissionDenied'

/** `raw` is what programs read in addition to the fields of every event; the client controls none of it. */
function base<K extends ToolEventKind>(
  { who, server }: GateOptions,
  { tool }: ToolUse,
  kind: K,
  more: JsonObject = {},
): EventBase & { readonly kind: K } {
  const raw = { mcp_server: { name: server }, mcp_tool: tool, ...more }
  return { ...who, host: HOST, name: kind, kind, raw }
}
