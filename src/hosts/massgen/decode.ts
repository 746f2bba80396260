import { bad, good, type Result } from '../../core/errors.ts'
import type { Event } from '../../core/event.ts'
import { readHookEvent } from '../../core/formats/massgen-event.ts'
import { EXTENDED_HOOK_TYPES, toolEventOf } from '../../core/formats/massgen-hook-type.ts'
import type { HostRequest } from '../../core/host.ts'
import { type Json, type JsonObject, textAt } from '../../core/json.ts'
import { decodeExtendedEvent } from '../massgen-payload.ts'
import { parsePayload } from '../payload.ts'
import { MASSGEN_EVENTS } from './abilities.ts'

/** MassGen's HookEvent as JSON, also under the names its adapters have used for the same things. */
export function decode(request: HostRequest): Result<Event> {
  const parsed = parsePayload(request.payload)
  if (!parsed.ok) return parsed
  const raw = parsed.value
  const type = typeOf(raw) ?? request.event
  const kind = toolEventOf(type)
  return kind === undefined ? decodeOther(raw, type, request) : decodeTool(raw, kind, request)
}

/** The event a payload says it is, as it spells it. */
export function massGenEventName(payload: string): string | undefined {
  const parsed = parsePayload(payload)
  const type = parsed.ok ? typeOf(parsed.value) : undefined
  return toolEventOf(type) ?? type
}

function typeOf(raw: JsonObject): string | undefined {
  return textAt(raw, 'hook_type') ?? textAt(raw, 'hook_event_name')
}

function decodeTool(
  raw: JsonObject,
  kind: 'PreToolUse' | 'PostToolUse',
  request: HostRequest,
): Result<Event> {
  const name = firstOf(raw, NAMES)
  const input = firstOf(raw, INPUTS)
  const output = firstOf(raw, OUTPUTS)
  const fields = {
    ...raw,
    hook_type: kind,
    ...(name === undefined ? {} : { tool_name: name }),
    ...(input === undefined ? {} : { tool_input: input }),
    ...(output === undefined ? {} : { tool_output: output }),
  }
  const read = readHookEvent(fields, '')
  if (!read.ok) return read
  const { session_id: session, agent_id: agent, tool_name, tool_input } = read.value
  const useId = textAt(raw, 'tool_use_id')
  const base = {
    host: 'massgen',
    name: kind,
    session,
    cwd: textAt(raw, 'cwd') ?? request.cwd,
    raw,
    // Its agents have a name and no type: hooks of one agent are found by the name.
    ...(agent === null ? {} : { agentId: agent, agentType: textAt(raw, 'agent_type') ?? agent }),
    tool: { name: tool_name, input: tool_input, ...(useId === undefined ? {} : { useId }) },
  }
  return good(kind === 'PreToolUse' ? { ...base, kind } : { ...base, kind, output: output ?? null })
}

/** The names for the same in MassGen's adapters, its own first. */
const NAMES = ['tool_name', 'toolName', 'name']
const INPUTS = ['tool_input', 'tool_args', 'toolArgs', 'arguments', 'parameters', 'input']
const OUTPUTS = ['tool_output', 'tool_response', 'toolResult']

function firstOf(raw: JsonObject, keys: readonly string[]): Json | undefined {
  return keys.map((key) => raw[key]).find((value) => value !== undefined && value !== null)
}

function decodeOther(raw: JsonObject, type: string | undefined, request: HostRequest): Result<Event> {
  const kind = EXTENDED_HOOK_TYPES.find((known) => known === type)
  if (kind !== undefined) return decodeExtendedEvent(raw, kind, { host: 'massgen', cwd: request.cwd })
  const known = Object.keys(MASSGEN_EVENTS).join(', ')
  const seen = type === undefined ? 'missing' : `"${type.slice(0, 60)}"`
  return bad('PAYLOAD_FIELD', `\`hook_type\` is ${seen}; accepted: ${known}.`, { key: 'hook_type' })
}
