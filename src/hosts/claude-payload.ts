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
  const kind = EVENT_KINDS.find((known) => known === name)
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
  return good({ ...readBase(name, payload, request, dialect), kind, ...fields.value } as Event)
}

function readBase(
  name: string,
  payload: JsonObject,
  request: HostRequest,
  dialect: ClaudeDialect,
): EventBase {
  const told = (field: keyof typeof BASE_KEYS) => {
    const value = textAt(payload, field === 'promptId' ? dialect.promptKey : BASE_KEYS[field])
    return value === undefined ? {} : { [field]: value }
  }
  return {
    host: dialect.host,
    name,
    session: '',
    cwd: request.cwd,
    raw: payload,
    ...told('session'),
    ...told('cwd'),
    ...told('agentId'),
    ...told('agentType'),
    ...told('permissionMode'),
    ...told('promptId'),
    ...told('transcriptPath'),
  }
}
