import { bad, good, type Result } from '../core/errors.ts'
import { BASE_KEYS, EVENT_KEY } from '../core/formats/claude-fields.ts'
import { isObject, type JsonObject, textAt } from '../core/json.ts'

/**
 * Text to one JSON object: what every host's decode starts with. Lone surrogates and NUL inside strings are
 * legal JSON and survive; what they mean is for the guards to judge.
 */
export function parsePayload(text: string): Result<JsonObject> {
  const trimmed = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (trimmed.trim() === '') return bad('PAYLOAD_EMPTY', 'Standard input was empty: no event to judge.')
  let value: unknown
  try {
    value = JSON.parse(trimmed)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return bad('PAYLOAD_NOT_JSON', `Standard input is not JSON: ${shorten(why)}`)
  }
  if (!isObject(value)) {
    const seen = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
    return bad('PAYLOAD_NOT_OBJECT', `The event must be a JSON object; this is ${seen}.`)
  }
  return good(value)
}

/** The name of the event, where the payload has it under Claude Code's key. */
export function claudeEventName(payload: string): string | undefined {
  const parsed = parsePayload(payload)
  return parsed.ok ? textAt(parsed.value, EVENT_KEY) : undefined
}

/** Only Claude Code itself says where its transcript is; a payload written by hand does not. */
export function isOfClaudeCode(payload: string): boolean {
  const parsed = parsePayload(payload)
  return parsed.ok && textAt(parsed.value, BASE_KEYS.transcriptPath) !== undefined
}

/** V8 quotes the input in its message; keep the position, not the payload. */
function shorten(message: string): string {
  return message.length > 160 ? `${message.slice(0, 160)}…` : message
}
