import { bad, good, type Result } from '../errors.ts'
import { frozenCopy, isObject, type Json, type JsonObject } from '../json.ts'
import { HookType, toolEventOf } from './massgen-hook-type.ts'

/** The event that a hook gets: exactly these eight fields, plain JSON. */
export interface MassGenEvent {
  readonly hook_type: HookType
  readonly session_id: string
  readonly orchestrator_id: string
  readonly agent_id: string | null
  /** ISO 8601. */
  readonly timestamp: string
  readonly tool_name: string
  readonly tool_input: JsonObject
  /** Only after the call. */
  readonly tool_output: string | null
}

/** Reads an event. A missing field gets its default. A field of the wrong type is an error. */
export function readHookEvent(value: unknown, now: string): Result<MassGenEvent> {
  if (!isObject(value)) return wrong('hook_type', 'The event must be an object.')
  const type = value.hook_type
  if (toolEventOf(type) === undefined) {
    const known = Object.values(HookType).join(', ')
    return wrong('hook_type', `\`hook_type\` is ${shown(type)}; accepted: ${known}.`)
  }
  const name = value.tool_name
  if (typeof name !== 'string' || name === '') return wrong('tool_name', `\`tool_name\` is ${shown(name)}.`)
  const input = readInput(value.tool_input)
  if (input === undefined) {
    return wrong('tool_input', `\`tool_input\` is ${shown(value.tool_input)}; it must be a JSON object.`)
  }
  for (const key of ['session_id', 'orchestrator_id', 'agent_id', 'timestamp'] as const) {
    const text = value[key]
    if (!isMissing(text) && typeof text !== 'string') return wrong(key, `\`${key}\` is ${shown(text)}.`)
  }
  const timestamp = readTime(value.timestamp, now)
  if (timestamp === undefined) {
    return wrong('timestamp', `\`timestamp\` is ${shown(value.timestamp)}; it must be ISO 8601.`)
  }
  const output = outputText(value.tool_output)
  if (output === undefined) return wrong('tool_output', '`tool_output` cannot be written as JSON.')
  return good({
    hook_type: type as HookType,
    session_id: text(value.session_id) ?? '',
    orchestrator_id: text(value.orchestrator_id) ?? text(value.session_id) ?? '',
    agent_id: text(value.agent_id) ?? null,
    timestamp,
    tool_name: name,
    tool_input: input,
    tool_output: output,
  })
}

/** Arguments written by a model may be text. Text that is not a JSON object is passed on under `raw`. */
function readInput(input: Json | undefined): JsonObject | undefined {
  if (typeof input !== 'string') return isObject(input) ? copied(input) : undefined
  try {
    const parsed: unknown = JSON.parse(input)
    return isObject(parsed) ? parsed : { raw: input }
  } catch {
    return { raw: input }
  }
}

/** Undefined if it contains a value that JSON cannot express, because no hook could receive it. */
function copied(input: JsonObject): JsonObject | undefined {
  const copy = frozenCopy(input)
  return isObject(copy) ? copy : undefined
}

function readTime(timestamp: Json | undefined, now: string): string | undefined {
  if (typeof timestamp !== 'string' || timestamp === '') return now
  const time = new Date(timestamp)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** Undefined if it has no JSON text: a function, a cycle, a BigInt. */
function outputText(output: Json | undefined): string | null | undefined {
  if (isMissing(output)) return null
  if (typeof output === 'string') return output
  try {
    return JSON.stringify(output)
  } catch {
    return undefined
  }
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isMissing(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null
}

/** A value for a message. Callers may use JavaScript, so it can have any type. */
function shown(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'missing'
    case 'object':
      return Array.isArray(value) ? 'a list' : 'not JSON'
    case 'string':
    case 'number':
    case 'boolean':
      return JSON.stringify(value).slice(0, 60)
    default:
      return `a ${typeof value}`
  }
}

function wrong(key: string, message: string): Result<never> {
  return bad('PAYLOAD_FIELD', message, { key })
}
