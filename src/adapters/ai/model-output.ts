import type { ToolSet } from 'ai'
import { HAS_APPROVAL } from './sdk-version.ts'

/** A tool's result as the model gets it. */
type ModelOutput = Awaited<ReturnType<NonNullable<ToolSet[string]['toModelOutput']>>>
type ToModelOutput = NonNullable<ToolSet[string]['toModelOutput']>

/**
 * Texts of hooks for the model, kept separate from the output: the program gets what the tool returned, and
 * the model gets it with the texts below.
 */
export interface ModelTexts {
  add(toolCallId: string, output: unknown, texts: readonly string[]): void
  /** The tool's own conversion of its output, with the texts. */
  telling(own: ToModelOutput | undefined): ToModelOutput
}

export function createModelTexts(hasApproval = HAS_APPROVAL): ModelTexts {
  const told = new Map<string, { readonly output: unknown; readonly texts: readonly string[] }>()
  const tellingCall =
    (own: ToModelOutput | undefined): ToModelOutput =>
    async (call: Parameters<ToModelOutput>[0]) => {
      const plain = own === undefined ? plainOutput(call.output) : await own(call)
      const entry = told.get(call.toolCallId)
      // The output must be the one that the texts belong to.
      return entry === undefined || !Object.is(entry.output, call.output) ? plain : below(plain, entry.texts)
    }
  // In version 5, a call is known by its output only.
  const tellingOutput = (own: ToModelOutput | undefined) =>
    ((output: unknown) => {
      const plain =
        own === undefined ? plainOutput(output) : (own as (output: unknown) => ModelOutput)(output)
      const entry = [...told.values()].findLast((each) => Object.is(each.output, output))
      return entry === undefined ? plain : below(plain, entry.texts)
    }) as unknown as ToModelOutput
  return {
    add(toolCallId, output, texts) {
      // Some models reuse ids: the texts of an earlier call must not be added to this one.
      told.delete(toolCallId)
      if (texts.length === 0) return
      told.set(toolCallId, { output, texts })
      // The SDK may convert a result several times, but not long after the call.
      if (told.size > TOLD_MAX) told.delete(told.keys().next().value ?? '')
    },
    telling: (own) => (hasApproval ? tellingCall(own) : tellingOutput(own)),
  }
}

const TOLD_MAX = 1_000

/** What the SDK does for a tool without its own conversion. */
function plainOutput(output: unknown): ModelOutput {
  if (typeof output === 'string') return { type: 'text', value: output }
  return { type: 'json', value: output === undefined ? null : (output as never) }
}

/** Every provider understands text; few understand a list of contents. */
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
