import { bad, good, type Result } from '../../core/errors.ts'
import type { Event } from '../../core/event.ts'
import type { HostRequest } from '../../core/host.ts'
import { textAt } from '../../core/json.ts'
import { decodeClaudePayload } from '../claude-payload.ts'
import { parsePayload } from '../payload.ts'
import { COLLECTIVE_EVENTS } from './abilities.ts'

/**
 * What the scripts of the collective get on standard input. Shells that escape `!` make the JSON invalid: that is
 * repaired, but only after a strict parse failed, so that a valid payload keeps its meaning.
 */
export function decode(request: HostRequest): Result<Event> {
  const payload = mended(request.payload)
  const decoded = decodeClaudePayload({ ...request, payload }, DIALECT)
  if (!decoded.ok) return decoded
  const event = decoded.value
  if (COLLECTIVE_EVENTS[event.kind] === undefined) {
    const known = Object.keys(COLLECTIVE_EVENTS).join(', ')
    return bad('PAYLOAD_FIELD', `The collective has ${known}; this is ${event.name}.`, {
      key: 'hook_event_name',
    })
  }
  const type = TYPE_KEYS.map((key) => textAt(event.raw, key)).find((name) => name !== undefined)
  return type === undefined || event.agentType !== undefined ? decoded : good({ ...event, agentType: type })
}

const DIALECT = {
  host: 'collective',
  promptKey: 'prompt_id',
  canonical: <T extends { readonly name: string }>(call: T) => ({
    ...call,
    name: call.name === 'Task' ? 'Agent' : call.name,
  }),
}

/** The spellings that callers of the scripts have used. */
const TYPE_KEYS: readonly string[] = ['subagent_type', 'agent_name', 'agentName', 'agentType']

/** The name of the event, also in a payload that is otherwise invalid. */
export function collectiveEventName(payload: string): string | undefined {
  const parsed = parsePayload(mended(payload))
  if (parsed.ok) return textAt(parsed.value, 'hook_event_name')
  return /"hook_event_name"\s*:\s*"([A-Za-z]{1,40})"/.exec(payload.slice(0, SEARCHED_CHARACTERS))?.[1]
}

const SEARCHED_CHARACTERS = 1024 * 1024

export function mended(payload: string): string {
  if (!payload.includes('\\!') || parsePayload(payload).ok) return payload
  const cleaned = payload.replaceAll('\\!', '!')
  return parsePayload(cleaned).ok ? cleaned : payload
}
