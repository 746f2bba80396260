import { bad, good, type Result } from '../../core/errors.ts'
import type { Event } from '../../core/event.ts'
import type { HostRequest } from '../../core/host.ts'
import { textAt } from '../../core/json.ts'
import { decodeClaudePayload } from '../claude-payload.ts'
import { parsePayload } from '../payload.ts'
import { SCRATCHPAD_EVENTS } from './abilities.ts'

/**
 * The scripts of the protocol get little: `{"source": "startup"}`, `{"agent_type": "spec-writer"}`, `{}`. Where the
 * payload does not name its event the caller does; only a session start is known by what it says.
 */
export function decode(request: HostRequest): Result<Event> {
  const parsed = parsePayload(request.payload)
  if (!parsed.ok) return parsed
  const payload = parsed.value
  const event = request.event ?? (typeof payload.source === 'string' ? 'SessionStart' : undefined)
  const dialect = { host: 'scratchpad', promptKey: 'prompt_id', canonical: <T>(call: T) => call }
  const decoded = decodeClaudePayload({ ...request, ...(event === undefined ? {} : { event }) }, dialect)
  if (!decoded.ok) return decoded
  if (SCRATCHPAD_EVENTS[decoded.value.kind] === undefined) {
    const known = Object.keys(SCRATCHPAD_EVENTS).join(', ')
    return bad('PAYLOAD_FIELD', `The scratchpad protocol has ${known}; this is ${decoded.value.name}.`, {
      key: 'hook_event_name',
    })
  }
  const type = TYPE_KEYS.map((key) => textAt(payload, key)).find((name) => name !== undefined)
  return type === undefined ? decoded : good({ ...decoded.value, agentType: type })
}

/** The spellings that callers of the scripts have used. */
const TYPE_KEYS: readonly string[] = ['agent_type', 'subagent_type', 'type', 'agentType']
