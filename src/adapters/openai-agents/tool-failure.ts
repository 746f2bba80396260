import type { FunctionCall, ToolCallDetails } from './sdk-types.ts'

/** Errors of tools whose calls have not ended yet. */
const failed = new WeakMap<FunctionCall, string>()

/**
 * For `errorFunction` of a tool: the model reads the error, and hooks of `PostToolUseFailure` run. Without it, the SDK
 * turns an error into a text before an adapter can see it, and hooks take that text for the output.
 *
 * @example
 * tool({ name: 'send', description: 'Sends it.', parameters, execute, errorFunction: toolError })
 */
export function toolError(_context: unknown, error: unknown, details?: ToolCallDetails): string {
  const message = error instanceof Error ? error.message : String(error)
  if (details?.toolCall !== undefined) failed.set(details.toolCall, message)
  return message
}

/** The error of this call, if `toolError` got it. */
export function takeFailure(details: ToolCallDetails | undefined): string | undefined {
  const call = details?.toolCall
  if (call === undefined) return undefined
  const message = failed.get(call)
  failed.delete(call)
  return message
}
