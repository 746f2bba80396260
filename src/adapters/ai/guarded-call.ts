import { asSchema, type ToolSet } from 'ai'
import type { GuardedCall } from '../judge-call.ts'
import { type AcceptedInput, seenInput, writtenValue } from '../judged-input.ts'

type AnyTool = ToolSet[string]

/** A call of one tool of the SDK. */
export function guardedCall(name: string, tool: AnyTool, toolCallId: string, input: unknown): GuardedCall {
  const seen = seenInput(input)
  return {
    name,
    toolCallId,
    input,
    seen,
    accept: (rewrite) => accepted(tool, seen === undefined ? rewrite : writtenValue(seen, rewrite)),
  }
}

/** An input as the tool's schema accepts it: hooks write JSON, and a schema may transform it. */
async function accepted(tool: AnyTool, value: unknown): Promise<AcceptedInput> {
  try {
    const valid = await asSchema(tool.inputSchema).validate?.(value)
    if (valid === undefined) return { value }
    return valid.success ? { value: valid.value } : { wrong: valid.error.message }
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) }
  }
}
