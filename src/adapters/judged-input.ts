import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../core/json.ts'

/** A tool's input as hooks see it: a copy, so that it cannot change while it is checked. */
export interface SeenInput {
  readonly input: JsonObject
  /** The same input has the same text. */
  readonly text: string
  /** The tool does not take an object; hooks see its input as `value`. */
  readonly isBare: boolean
}

/** Undefined: it is not JSON (a cycle, a BigInt), so it cannot be checked. */
export function seenInput(value: unknown): SeenInput | undefined {
  const text = jsonText(value ?? {})
  if (text === undefined) return undefined
  const parsed = JSON.parse(text) as Json
  // A tool may take a bare value, but events contain objects.
  return isObject(parsed)
    ? { text, input: parsed, isBare: false }
    : { text, input: { [BARE]: parsed }, isBare: true }
}

const BARE = 'value'

/** A tool's output as hooks see it. Undefined: it is not JSON. */
export function seenOutput(value: unknown): { readonly output: Json } | undefined {
  if (value === undefined) return { output: null }
  if (typeof value === 'string') return { output: value }
  const text = jsonText(value)
  return text === undefined ? undefined : { output: JSON.parse(text) as Json }
}

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** The input for the tool, or why it does not accept it, as the end of a sentence. */
export type AcceptedInput = { readonly value: unknown } | { readonly wrong: string }

/** What hooks wrote instead of this input, without the object around a bare value. */
export function writtenValue({ isBare }: SeenInput, rewrite: JsonObject): Json | undefined {
  return isBare ? rewrite[BARE] : rewrite
}

export function isSameJson(a: Json, b: Json): boolean {
  return isDeepStrictEqual(a, b)
}

/** True if a schema only added or removed keys of what a hook wrote: every value in both is the same. */
export function isKept(wrote: Json, made: Json): boolean {
  if (isObject(wrote) && isObject(made)) {
    return Object.entries(made).every(([key, value]) => {
      const before = Object.hasOwn(wrote, key) ? wrote[key] : undefined
      return before === undefined || isKept(before, value)
    })
  }
  if (Array.isArray(wrote) && Array.isArray(made)) {
    return (
      wrote.length === made.length && wrote.every((each: Json, index) => isKept(each, made[index] as Json))
    )
  }
  return wrote === made
}
