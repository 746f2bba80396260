import { EVENT_KINDS, type ToolCall } from '../core/event.ts'
import { type ClaudeField, claudeFieldsOf, TOOL_KEYS } from '../core/formats/claude-fields.ts'
import { frozenCopy, isObject, type Json } from '../core/json.ts'

/** One field of one kind of event, as the program passes it. */
export interface Field {
  /** The value in the event, as a copy; undefined if it has the wrong type. */
  read(value: unknown): unknown
  readonly accepted: string
  /** The value if it is missing. `needed`: nothing can be decided without it. Undefined: it stays missing. */
  readonly or?: 'needed' | { readonly value: Json }
  /** Its name in `raw`, which is Claude Code's name. Undefined: it is only in the event. */
  readonly spelled?: string
}

export interface KindReader {
  readonly fields: ReadonlyMap<string, Field>
  /** The fields that have a default. */
  readonly expected: readonly (readonly [string, Field])[]
}

const TEXT = { read: textIn, accepted: 'a string' }

export const KIND_READERS: ReadonlyMap<string, KindReader> = new Map(
  EVENT_KINDS.map((kind) => {
    const all = claudeFieldsOf(kind).map(([name, field]) => [name, fieldOf(field)] as const)
    return [kind, { fields: new Map(all), expected: all.filter(([, { or }]) => or !== undefined) }]
  }),
)

/**
 * Programs must use the right types, although payloads of hosts may not: the author of a program can correct
 * it.
 */
function fieldOf(field: ClaudeField): Field {
  switch (field.kind) {
    case 'text':
      return { ...TEXT, or: field.required === true ? 'needed' : { value: '' }, spelled: field.key }
    case 'optionalText':
      return { ...TEXT, spelled: field.key }
    case 'flag':
      return { read: flagIn, accepted: 'true or false', or: { value: false }, spelled: field.key }
    case 'number':
      return { read: numberIn, accepted: 'a number', spelled: field.key }
    case 'json':
      return {
        read: (value) => frozenCopy(value),
        accepted: 'JSON',
        or: { value: field.missing },
        ...(field.key === TOOL_KEYS.output ? {} : { spelled: field.key }),
      }
    case 'tool':
      return { read: readTool, accepted: '{ name, input } with an input of JSON', or: 'needed' }
    case 'calls':
      return { read: readCalls, accepted: 'a list of { name, input, output }', or: 'needed' }
  }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function flagIn(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function readTool(value: unknown): ToolCall | undefined {
  if (!isObject(value)) return undefined
  const { name, useId, server } = value
  if (typeof name !== 'string' || name === '' || !isOptionalText(useId) || !isOptionalText(server)) {
    return undefined
  }
  const input = frozenCopy(value.input)
  if (!isObject(input)) return undefined
  if (!useId && !server) return Object.freeze({ name, input })
  return Object.freeze({ name, input, ...(useId ? { useId } : {}), ...(server ? { server } : {}) })
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

type BatchCall = ToolCall & { readonly output: Json }

function readCalls(value: unknown): readonly BatchCall[] | undefined {
  if (!Array.isArray(value)) return undefined
  const calls: BatchCall[] = []
  for (const each of value as readonly unknown[]) {
    const call = readTool(each)
    const output = isObject(each) ? frozenCopy(each.output ?? null) : undefined
    if (call === undefined || output === undefined) return undefined
    calls.push(Object.freeze({ ...call, output }))
  }
  return Object.freeze(calls)
}
