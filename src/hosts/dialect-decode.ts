import { bad, good, type Problem, type Result } from '../core/errors.ts'
import type { Event, EventKind, ToolCall } from '../core/event.ts'
import { BASE_KEYS, TOOL_KEYS } from '../core/formats/claude-fields.ts'
import { readClaudeFields } from '../core/formats/claude-json.ts'
import type { HostRequest } from '../core/host.ts'
import { type JsonObject, textAt } from '../core/json.ts'
import { type Dialect, eventNamed, nameOfKind } from './dialect.ts'
import { canonicalTool } from './dialect-tools.ts'
import { parsePayload } from './payload.ts'

/** A payload of the dialect to an event. What the agent sent stays as it is in `raw`. */
export function decodeDialect(dialect: Dialect, request: HostRequest): Result<Event> {
  const parsed = parsePayload(request.payload)
  if (!parsed.ok) return parsed
  const raw = parsed.value
  const named = nameIn(dialect, raw, request)
  const payload = inOurKeys(dialect, raw, named ?? '')
  if (named === undefined) {
    // A bare tool call is an act about to happen, even if the caller forgot to name the event.
    const call = nameOfKind(dialect, 'PreToolUse')
    return TOOL_KEYS.name in payload && call !== undefined
      ? decodeKind('PreToolUse', call, payload, raw, dialect, request)
      : bad('PAYLOAD_FIELD', 'The event is not named, in the payload or with --event.', {
          key: dialect.eventKey ?? 'event',
        })
  }
  const known = eventNamed(dialect, named)
  if (known !== undefined) {
    const kind = dialect.kindOf?.(payload, named) ?? known.kind
    return decodeKind(kind, named, payload, raw, dialect, request)
  }
  // An event of a newer version: one that carries a tool is judged like a call that is about to run.
  const kind = TOOL_KEYS.name in payload ? 'PreToolUse' : 'Unknown'
  return decodeKind(kind, named, payload, raw, dialect, request)
}

/** The event's name in a payload that cannot be decoded, as our kind where it has one. */
export function kindNamed(dialect: Dialect, text: string): string | undefined {
  const parsed = parsePayload(text)
  const name =
    parsed.ok && dialect.eventKey !== undefined ? textAt(parsed.value, dialect.eventKey) : undefined
  return name === undefined ? undefined : (eventNamed(dialect, name)?.kind ?? name)
}

/** `--event` names a kind of ours; the agent's own name for it counts then. */
function nameIn(dialect: Dialect, raw: JsonObject, { event }: HostRequest): string | undefined {
  const told = dialect.eventKey === undefined ? undefined : textAt(raw, dialect.eventKey)
  if (told !== undefined || event === undefined) return told
  return eventNamed(dialect, event) !== undefined ? event : (nameOfKind(dialect, event) ?? event)
}

function inOurKeys(dialect: Dialect, raw: JsonObject, name: string): JsonObject {
  const renamed = Object.entries(dialect.keys ?? {}).flatMap(([own, ours]) => {
    const value = Object.hasOwn(raw, own) && !Object.hasOwn(raw, ours) ? raw[own] : undefined
    return value === undefined ? [] : [[ours, value] as const]
  })
  const payload = { ...raw, ...Object.fromEntries(renamed) }
  return dialect.adapt?.(payload, name) ?? payload
}

function decodeKind(
  kind: EventKind,
  name: string,
  payload: JsonObject,
  raw: JsonObject,
  dialect: Dialect,
  request: HostRequest,
): Result<Event> {
  const told = Object.entries(BASE_KEYS).flatMap(([field, key]) => {
    const value = textAt(payload, key)
    return value === undefined ? [] : [[field, value] as const]
  })
  const base = {
    ...{ host: dialect.id, name, session: '', cwd: request.cwd, raw },
    ...Object.fromEntries(told),
  }
  const canonical = (call: ToolCall): ToolCall | Problem => canonicalCall(dialect, call, payload)
  const fields = readClaudeFields(kind, payload, canonical)
  if (!fields.ok) return fields
  return good({ ...base, kind, ...fields.value } as Event)
}

function canonicalCall(dialect: Dialect, call: ToolCall, payload: JsonObject): ToolCall {
  if (Object.hasOwn(dialect.tools, call.name)) return canonicalTool(dialect.tools, call)
  const mcp = dialect.mcpTool?.(call.name, payload)
  if (mcp === undefined) return call
  return { ...call, name: `mcp__${mcp.server}__${mcp.tool}`, hostName: call.name, server: mcp.server }
}
