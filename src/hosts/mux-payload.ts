import { bad, good, type Result } from '../core/errors.ts'
import type { EventOf } from '../core/event.ts'
import type { HostRequest } from '../core/host.ts'
import { textAt } from '../core/json.ts'
import { decodeClaudePayload } from './claude-payload.ts'
import { parsePayload } from './payload.ts'

/**
 * What the guard scripts of MUX get: a tool and its input, under either of their two names. The event is always
 * PreToolUse; others are rejected. A payload that cannot be judged is a problem, which denies.
 */
export function decodeMuxPayload(request: HostRequest, host: string): Result<EventOf<'PreToolUse'>> {
  const parsed = parsePayload(request.payload)
  if (!parsed.ok) return parsed
  const raw = parsed.value
  const name = textAt(raw, 'hook_event_name') ?? textAt(raw, 'hook_type') ?? request.event ?? 'PreToolUse'
  if (name !== 'PreToolUse') {
    const message = `The guards of MUX judge PreToolUse; this is ${name.slice(0, 60)}.`
    return bad('PAYLOAD_FIELD', message, { key: 'hook_event_name' })
  }
  const { tool_input: input = raw.tool_args } = raw
  const payload = { ...raw, hook_event_name: name, ...(input === undefined ? {} : { tool_input: input }) }
  const dialect = { host, promptKey: 'prompt_id', canonical: <T>(call: T) => call }
  const decoded = decodeClaudePayload({ ...request, payload: JSON.stringify(payload) }, dialect)
  if (!decoded.ok) return decoded
  return good({ ...(decoded.value as EventOf<'PreToolUse'>), raw })
}
