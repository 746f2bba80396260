// The SDK's own model for tests, with a script. The number of its earlier messages says which turn it is.
import { MockLanguageModelV3 } from 'ai/test'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

export function scriptedModel(turns) {
  const seen = []
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const spoken = prompt.findLastIndex(({ role }) => role === 'assistant')
      seen.push(...prompt.slice(spoken + 1).flatMap(lines))
      const { calls = [], text = 'Done.' } =
        turns[prompt.filter(({ role }) => role === 'assistant').length] ?? {}
      const uses = calls.map(({ tool, input }, index) => ({
        type: 'tool-call',
        toolCallId: `call-${prompt.length}-${index}`,
        toolName: tool,
        input: JSON.stringify(input),
      }))
      return {
        content: uses.length > 0 ? uses : [{ type: 'text', text }],
        finishReason: { unified: uses.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
  return { model, seen: () => seen }
}

/** What the model is told, a line each. */
function lines({ role, content }) {
  return content.map((part) =>
    part.type === 'tool-result'
      ? `${part.toolName}: ${JSON.stringify(part.output.value)}`
      : `${role}: ${part.text}`,
  )
}
