import { isObject, type Json, type JsonObject } from '../core/json.ts'
import type { TranscriptItem } from '../core/transcript.ts'

/** What a transcript says of a call; it may lack any of it. */
export interface CallParts {
  readonly useId: string | undefined
  readonly name: string | undefined
  readonly input: Json | undefined
  readonly session: string | undefined
  readonly cwd: string | undefined
  readonly at: string | undefined
  readonly agentId?: string | undefined
  readonly agentType?: string | undefined
  /** The agent's own name of the event before a call. */
  readonly event?: string
}

/** The call as its hook would have been told of it, or that it cannot be read. */
export function callItem(parts: CallParts): TranscriptItem {
  const { useId, name, input, session, cwd, at, agentId, agentType, event = 'PreToolUse' } = parts
  if (useId === undefined || name === undefined || !isObject(input)) return unreadable('its tool')
  if (session === undefined || cwd === undefined || at === undefined) return unreadable('where it was made')
  return {
    kind: 'call',
    call: {
      useId,
      at,
      session,
      cwd,
      ...(agentId === undefined ? {} : { agentId }),
      ...(agentType === undefined ? {} : { agentType }),
      payload: {
        session_id: session,
        cwd,
        hook_event_name: event,
        tool_name: name,
        tool_input: input,
        tool_use_id: useId,
        ...(agentId === undefined ? {} : { agent_id: agentId }),
        ...(agentType === undefined ? {} : { agent_type: agentType }),
      },
    },
  }
}

function unreadable(what: string): TranscriptItem {
  return { kind: 'unreadable', why: `a call does not say ${what}` }
}

/** An object written as JSON text; undefined for anything else. */
export function objectIn(text: Json | undefined): JsonObject | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The years a time of a transcript can be in; what is outside of them is not a time in milliseconds. */
const EARLIEST_MS = Date.UTC(2020, 0)
const LATEST_MS = Date.UTC(2200, 0)

/** Milliseconds as an ISO time. */
export function timeOf(ms: Json | undefined): string | undefined {
  if (typeof ms !== 'number' || !(ms >= EARLIEST_MS && ms < LATEST_MS)) return undefined
  return new Date(ms).toISOString()
}

/** The object at `key`, or an empty one. */
export function partAt(object: JsonObject, key: string): JsonObject {
  const value = object[key]
  return isObject(value) ? value : {}
}

/** The objects of the list at `key`. */
export function partsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const list = object[key]
  return Array.isArray(list) ? list.filter(isObject) : []
}
