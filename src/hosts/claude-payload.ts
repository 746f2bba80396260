import { bad, good, type Result } from '../core/errors.ts'
import { EVENT_KINDS, type Event, type EventBase, type EventKind } from '../core/event.ts'
import { BASE_KEYS, EVENT_KEY, TOOL_KEYS } from '../core/formats/claude-fields.ts'
import { type CanonicalCall, readClaudeFields } from '../core/formats/claude-json.ts'
import type { HostRequest } from '../core/host.ts'
import { type JsonObject, textAt } from '../core/json.ts'
import { parsePayload } from './payload.ts'

/** The differences between the agents that send Claude Code's payload. */
export interface ClaudeDialect {
  readonly host: string
  /** The field that names the prompt an event belongs to. */
  readonly promptKey: string
  readonly canonical: CanonicalCall
}

const KINDS: ReadonlyMap<string, EventKind> = new Map(EVENT_KINDS.map((kind) => [kind, kind]))

/** A payload with Claude Code's field names to an event. All its 33 events are known; unknown ones are kept. */
export function decodeClaudePayload(request: HostRequest, dialect: ClaudeDialect): Result<Event> {
  const parsed = parsePayload(request.payload)
  if (!parsed.ok) return parsed
  const payload = parsed.value
  const name = textAt(payload, EVENT_KEY) ?? request.event
  if (name === undefined) {
    // A tool call without an event name is treated as a call that is about to run.
    return TOOL_KEYS.name in payload
      ? decodeKind('PreToolUse', 'PreToolUse', payload, request, dialect)
      : bad('PAYLOAD_FIELD', `\`${EVENT_KEY}\` must be a non-empty string.`, { key: EVENT_KEY })
  }
  const kind = KINDS.get(name)
  if (kind !== undefined && kind !== 'Unknown') return decodeKind(kind, name, payload, request, dialect)
  // An event of a newer version: if it has a tool, it is judged like a call that is about to run.
  if (TOOL_KEYS.name in payload) return decodeKind('PreToolUse', name, payload, request, dialect)
  return good({ ...readBase(name, payload, request, dialect), kind: 'Unknown' })
}

function decodeKind(
  kind: Exclude<EventKind, 'Unknown'>,
  name: string,
  payload: JsonObject,
  request: HostRequest,
  dialect: ClaudeDialect,
): Result<Event> {
  const fields = readClaudeFields(kind, payload, dialect.canonical)
  if (!fields.ok) return fields
  return good(Object.assign(readBase(name, payload, request, dialect), { kind }, fields.value) as Event)
}

/**
 * Every field is there, also one that is undefined: for the JavaScript engine all events are then of one shape, and what it
 * compiled for one fits the next. Written one by one, because putting objects together takes ten times as long.
 */
function readBase(
  name: string,
  payload: JsonObject,
  request: HostRequest,
  dialect: ClaudeDialect,
): EventBase {
  const base: { readonly [Field in keyof Required<EventBase>]: EventBase[Field] | undefined } = {
    host: dialect.host,
    name,
    session: textAt(payload, BASE_KEYS.session) ?? '',
    agentId: textAt(payload, BASE_KEYS.agentId),
    agentType: textAt(payload, BASE_KEYS.agentType),
    cwd: textAt(payload, BASE_KEYS.cwd) ?? request.cwd,
    permissionMode: textAt(payload, BASE_KEYS.permissionMode),
    promptId: textAt(payload, dialect.promptKey),
    transcriptPath: textAt(payload, BASE_KEYS.transcriptPath),
    raw: payload,
  }
  return base as EventBase
}
