import type { ToolSet } from 'ai'

/** What a tool's result looks like to the model. */
type ModelOutput = Awaited<ReturnType<NonNullable<ToolSet[string]['toModelOutput']>>>
type ToModelOutput = NonNullable<ToolSet[string]['toModelOutput']>

/**
 * Texts of hooks for the model, kept apart from the output: the program gets what the tool returned, the model
 * reads it with the texts below.
 */
export interface ToldTexts {
  add(toolCallId: string, output: unknown, texts: readonly string[]): void
  /** The tool's own way of telling its output, with the texts. */
  telling(own: ToModelOutput | undefined): ToModelOutput
}

export function createToldTexts(): ToldTexts {
  const told = new Map<string, { readonly output: unknown; readonly texts: readonly string[] }>()
  return {
    add(toolCallId, output, texts) {
      // Some models count their ids anew: what was said of an earlier call is not said of this one.
      told.delete(toolCallId)
      if (texts.length === 0) return
      told.set(toolCallId, { output, texts })
      // The SDK may tell a result as often as it likes, but long after the call it no longer does.
      if (told.size > TOLD_MAX) told.delete(told.keys().next().value ?? '')
    },
    telling: (own) => async (call: Parameters<ToModelOutput>[0]) => {
      const plain = own === undefined ? plainOutput(call.output) : await own(call)
      const entry = told.get(call.toolCallId)
      // The very output must be the one the texts belong to.
      return entry === undefined || !Object.is(entry.output, call.output) ? plain : below(plain, entry.texts)
    },
  }
}

const TOLD_MAX = 1_000

/** What the SDK does for a tool that says nothing about it. */
function plainOutput(output: unknown): ModelOutput {
  if (typeof output === 'string') return { type: 'text', value: output }
  return { type: 'json', value: output === undefined ? null : (output as never) }
}

/** Text is understood by every provider; a list of contents by few. */
function below(output: ModelOutput, texts: readonly string[]): ModelOutput {
  const text = texts.join('\n\n')
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: `${output.value}\n\n${text}` }
    case 'json':
      return { ...output, type: 'text', value: `${JSON.stringify(output.value)}\n\n${text}` }
    case 'error-json':
      return { ...output, type: 'error-text', value: `${JSON.stringify(output.value)}\n\n${text}` }
    case 'execution-denied':
      return { ...output, reason: [output.reason ?? '', text].filter((each) => each !== '').join('\n\n') }
    case 'content':
      return { ...output, value: [...output.value, { type: 'text', text }] }
  }
}
