import { good, type Result } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import { BASE_KEYS, EVENT_KEY } from '../core/formats/claude-fields.ts'
import type { ExtendedHookType } from '../core/formats/massgen-hook-type.ts'
import { type JsonObject, textAt } from '../core/json.ts'
import { decodeClaudePayload } from './claude-payload.ts'

/** An event that MassGen has no fields for has those of Claude Code, also in a manager of the library. */
export function decodeExtendedEvent(
  raw: JsonObject,
  kind: ExtendedHookType,
  { host, cwd }: { readonly host: string; readonly cwd: string },
): Result<Event> {
  const agent = textAt(raw, BASE_KEYS.agentId)
  // Its agents have a name and no type: hooks of one agent are found by the name.
  const isNamed = agent !== undefined && textAt(raw, BASE_KEYS.agentType) === undefined
  const named = isNamed ? { [BASE_KEYS.agentType]: agent } : {}
  const payload = JSON.stringify({ ...raw, ...named, [EVENT_KEY]: kind })
  const dialect = { host, promptKey: BASE_KEYS.promptId, canonical: <T>(call: T) => call }
  const decoded = decodeClaudePayload({ payload, cwd }, dialect)
  return decoded.ok ? good({ ...decoded.value, raw }) : decoded
}
