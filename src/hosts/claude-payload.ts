import { bad, good, type Result } from '../errors.ts'
import { EVENT_KINDS, type Event, type EventBase, type EventKind } from '../event.ts'
import { type JsonObject, textAt } from '../json.ts'
import { type CanonicalCall, FIELDS, isProblem } from './claude-fields.ts'
import type { HostRequest } from './host.ts'
import { parsePayload } from './payload.ts'

/** What differs between the agents that send Claude Code's payload. */
export interface ClaudeDialect {
  readonly host: string
  /** The field that names the prompt an event belongs to. */
  readonly promptKey: string
  readonly canonical: CanonicalCall
}

/** A hook payload with Claude Code's field names to an event. All its 33 events are known; unknown ones survive. */
export function decodeClaudePayload(request: HostRequest, dialect: ClaudeDialect): Result<Event> {
  const parsed = parsePayload(request.payload)
  if (!parsed.ok) return parsed
  const payload = parsed.value
  const name = textAt(payload, 'hook_event_name') ?? request.event
  if (name === undefined) {
    const problem = bad('PAYLOAD_FIELD', '`hook_event_name` must be a non-empty string.', {
      key: 'hook_event_name',
    })
    // A bare tool call is an act about to happen, whoever forgot to name the event.
    return 'tool_name' in payload
      ? decodeKind('PreToolUse', 'PreToolUse', payload, request, dialect)
      : problem
  }
  const kind = EVENT_KINDS.find((known) => known === name)
  if (kind !== undefined && kind !== 'Unknown') return decodeKind(kind, name, payload, request, dialect)
  // An event of a newer version: one that carries a tool is judged like a call that is about to run.
  if ('tool_name' in payload) return decodeKind('PreToolUse', name, payload, request, dialect)
  return good({ ...readBase(name, payload, request, dialect), kind: 'Unknown' })
}

function decodeKind(
  kind: Exclude<EventKind, 'Unknown'>,
  name: string,
  payload: JsonObject,
  request: HostRequest,
  dialect: ClaudeDialect,
): Result<Event> {
  const fields = FIELDS[kind](payload, dialect.canonical)
  if (isProblem(fields)) return { ok: false, problem: fields }
  return good({ ...readBase(name, payload, request, dialect), kind, ...fields } as Event)
}

function readBase(
  name: string,
  payload: JsonObject,
  request: HostRequest,
  dialect: ClaudeDialect,
): EventBase {
  const agentId = textAt(payload, 'agent_id')
  const agentType = textAt(payload, 'agent_type')
  const permissionMode = textAt(payload, 'permission_mode')
  const promptId = textAt(payload, dialect.promptKey)
  const transcriptPath = textAt(payload, 'transcript_path')
  return {
    host: dialect.host,
    name,
    session: textAt(payload, 'session_id') ?? '',
    cwd: textAt(payload, 'cwd') ?? request.cwd,
    raw: payload,
    ...(agentId === undefined ? {} : { agentId }),
    ...(agentType === undefined ? {} : { agentType }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(promptId === undefined ? {} : { promptId }),
    ...(transcriptPath === undefined ? {} : { transcriptPath }),
  }
}
