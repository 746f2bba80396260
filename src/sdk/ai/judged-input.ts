import { isDeepStrictEqual } from 'node:util'
import { asSchema, type ToolSet } from 'ai'
import { isObject, type Json, type JsonObject } from '../../json.ts'

/** A tool's input as hooks see it: a copy, so that what is judged cannot change under them or through them. */
export interface SeenInput {
  readonly input: JsonObject
  /** The same input has the same text. */
  readonly text: string
  /** The tool takes no object; hooks see what it takes as `value`. */
  readonly isBare: boolean
}

/** Undefined: it is no JSON (a cycle, a BigInt), so nobody could judge it. */
export function seenInput(value: unknown): SeenInput | undefined {
  const text = jsonText(value ?? {})
  if (text === undefined) return undefined
  const parsed = JSON.parse(text) as Json
  // A tool may take a bare value; events hold objects.
  return isObject(parsed)
    ? { text, input: parsed, isBare: false }
    : { text, input: { [BARE]: parsed }, isBare: true }
}

const BARE = 'value'

/** A tool's output as hooks see it. Undefined: it is no JSON. */
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

export type RewrittenInput = { readonly value: unknown } | { readonly wrong: string }

/** A rewritten input for the tool, as its schema takes it: hooks write JSON, a schema may make more of it. */
export async function rewrittenInput(
  tool: ToolSet[string],
  seen: SeenInput,
  rewrite: JsonObject,
): Promise<RewrittenInput> {
  const value = seen.isBare ? rewrite[BARE] : rewrite
  try {
    const valid = await asSchema(tool.inputSchema).validate?.(value)
    if (valid === undefined) return { value }
    return valid.success ? { value: valid.value } : { wrong: valid.error.message }
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) }
  }
}

export function isSameJson(a: Json, b: Json): boolean {
  return isDeepStrictEqual(a, b)
}

/** True where a schema only added keys to what a hook wrote, or left some out: every value both have is the same. */
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
