import { asSchema, type ToolSet } from 'ai'
import { isObject, type Json, type JsonObject } from '../../json.ts'

/** A tool's input as hooks see it: a copy, so that what is judged cannot change under them or through them. */
export interface SeenInput {
  readonly input: JsonObject
  /** The same input has the same text. */
  readonly text: string
}

/** Undefined: it is no JSON (a cycle, a BigInt), so nobody could judge it. */
export function seenInput(value: unknown): SeenInput | undefined {
  const text = jsonText(value ?? {})
  if (text === undefined) return undefined
  const parsed = JSON.parse(text) as Json
  // A tool may take a bare value; events hold objects.
  return { text, input: isObject(parsed) ? parsed : { [BARE]: parsed } }
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
  original: unknown,
  rewrite: JsonObject,
): Promise<RewrittenInput> {
  const value = isObject(original) || original === undefined ? rewrite : rewrite[BARE]
  try {
    const valid = await asSchema(tool.inputSchema).validate?.(value)
    if (valid === undefined) return { value }
    return valid.success ? { value: valid.value } : { wrong: valid.error.message }
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) }
  }
}
