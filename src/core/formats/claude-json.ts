import { good, type Problem, type Result } from '../errors.ts'
import { type Event, type EventFields, type EventKind, type ToolCall, toolOf } from '../event.ts'
import { isObject, type Json, type JsonObject, textAt } from '../json.ts'
import { BASE_KEYS, type ClaudeField, claudeFieldsOf, EVENT_KEY, TOOL_KEYS } from './claude-fields.ts'

/** Converts a call of the host to ours, or says why it cannot be checked. */
export type CanonicalCall = (call: ToolCall) => ToolCall | Problem

/**
 * Reads the fields of a payload by the table. Fields without which the event cannot be checked are required. All others
 * have a default, because hosts add and drop fields between versions, and `raw` keeps the original.
 */
export function readClaudeFields<K extends EventKind>(
  kind: K,
  payload: JsonObject,
  canonical: CanonicalCall,
): Result<EventFields[K]> {
  const fields: Record<string, unknown> = {}
  for (const [name, field] of claudeFieldsOf(kind)) {
    const value = readField(field, payload, canonical)
    // The JSON of a tool may look like one of our problem values.
    if (field.kind !== 'json' && isProblem(value)) return { ok: false, problem: value }
    // Also when it is undefined: all events of a kind have one shape.
    fields[name] = value
  }
  return good(fields as EventFields[K])
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value
}

function readField(field: ClaudeField, payload: JsonObject, canonical: CanonicalCall): unknown {
  switch (field.kind) {
    case 'text':
      if (field.required === true && typeof payload[field.key] !== 'string') {
        return invalidField(payload, field.key, 'a string')
      }
      return textAt(payload, field.key) ?? ''
    case 'optionalText':
      return textAt(payload, field.key)
    case 'flag':
      return payload[field.key] === true
    case 'number':
      return typeof payload[field.key] === 'number' ? payload[field.key] : undefined
    case 'json':
      return payload[field.key] ?? field.missing
    case 'tool':
      return readTool(payload, canonical)
    case 'calls':
      return readCalls(payload[field.key], canonical)
  }
}

/** Reads the tool call, or says which of its two fields is wrong. Both are needed to check the event. */
function readTool(payload: JsonObject, canonical: CanonicalCall): ToolCall | Problem {
  const name = textAt(payload, TOOL_KEYS.name)
  const input = payload[TOOL_KEYS.input]
  if (name === undefined) return invalidField(payload, TOOL_KEYS.name, 'a non-empty string')
  if (!isObject(input)) return invalidField(payload, TOOL_KEYS.input, 'an object')
  const told = payload[TOOL_KEYS.server]
  const server = isObject(told) ? textAt(told, 'name') : undefined
  return canonical({ name, input, useId: textAt(payload, TOOL_KEYS.useId), server } as ToolCall)
}

function readCalls(calls: Json | undefined, canonical: CanonicalCall): EventFields['PostToolBatch']['calls'] {
  if (!Array.isArray(calls)) return []
  return calls.flatMap((call: Json) => {
    if (!isObject(call)) return []
    const tool = readTool(call, canonical)
    return isProblem(tool) ? [] : [{ ...tool, output: call[TOOL_KEYS.output] ?? null }]
  })
}

/** What is wrong with a required field. The value is shortened. */
export function invalidField(payload: JsonObject, key: string, accepted: string): Problem {
  const value = payload[key]
  const seen = value === undefined ? 'it is missing' : `it is ${JSON.stringify(value).slice(0, 60)}`
  return { code: 'PAYLOAD_FIELD', key, message: `\`${key}\` must be ${accepted}; ${seen}.` }
}

/**
 * Writes the event as Claude Code would send it, by the same table. The host's payload is kept, with the current values
 * of the fields, because a hook may have changed them. For calls and servers the host's data has more detail, so it stays.
 */
export function writeClaudeJson(event: Event): JsonObject {
  const structured: Record<string, Json> = {}
  const plain: Record<string, Json> = { [EVENT_KEY]: event.kind }
  for (const [name, key] of Object.entries(BASE_KEYS)) {
    const value = event[name as keyof typeof BASE_KEYS]
    if (value !== undefined) plain[key] = value
  }
  const values = event as unknown as Readonly<Record<string, Json | undefined>>
  for (const [name, field] of claudeFieldsOf(event.kind)) {
    const value = values[name]
    if (field.kind === 'tool' || value === undefined || isDefault(field, value)) continue
    if (field.kind === 'calls') structured[field.key] = writeCalls(event)
    else plain[field.key] = value
  }
  const tool = toolOf(event)
  if (tool === undefined) return { ...structured, ...event.raw, ...plain }
  return { ...serverOf(tool), ...event.raw, ...plain, ...callOf(tool) }
}

/** It means the same as a missing field, and `raw` may have it in a form that is not read. */
function isDefault({ kind }: ClaudeField, value: Json): boolean {
  return (kind === 'text' && value === '') || (kind === 'flag' && value === false)
}

function callOf({ name, input, useId }: ToolCall): JsonObject {
  return {
    [TOOL_KEYS.name]: name,
    [TOOL_KEYS.input]: input,
    ...(useId === undefined ? {} : { [TOOL_KEYS.useId]: useId }),
  }
}

function serverOf({ server }: ToolCall): JsonObject {
  return server === undefined ? {} : { [TOOL_KEYS.server]: { name: server } }
}

function writeCalls(event: Event): Json {
  if (event.kind !== 'PostToolBatch') return []
  return event.calls.map((call) => ({
    ...callOf(call),
    ...serverOf(call),
    [TOOL_KEYS.output]: call.output,
  }))
}
