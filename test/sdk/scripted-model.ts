import { MockLanguageModelV3 } from 'ai/test'

type CallOptions = MockLanguageModelV3['doGenerateCalls'][number]
type Prompt = CallOptions['prompt']
type Generated = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>
type Streamed = Awaited<ReturnType<MockLanguageModelV3['doStream']>>
type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never

/** One turn of the model: the calls that it makes, or its text. */
export interface Turn {
  readonly calls?: readonly ScriptedCall[]
  readonly text?: string
}

export interface ScriptedCall {
  readonly tool: string
  readonly input: unknown
  readonly id?: string
  /** The result, if the call ran at the provider. */
  readonly providerResult?: string
}

export interface ScriptedModel {
  readonly model: MockLanguageModelV3
  /** All prompts that it got. */
  prompts(): readonly Prompt[]
}

/** The SDK's own model for tests, with a script. The number of its earlier answers tells which turn it is. */
export function scriptedModel(turns: readonly Turn[]): ScriptedModel {
  const turnAt = (prompt: Prompt) => turns[prompt.filter(({ role }) => role === 'assistant').length] ?? {}
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => generated(turnAt(prompt), prompt.length),
    doStream: async ({ prompt }) => ({ stream: streamOf(generated(turnAt(prompt), prompt.length)) }),
  })
  return {
    model,
    prompts: () => [...model.doGenerateCalls, ...model.doStreamCalls].map(({ prompt }) => prompt),
  }
}

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
}

function generated({ calls = [], text = 'Done.' }: Turn, at: number): Generated {
  return {
    content:
      calls.length === 0
        ? [{ type: 'text', text }]
        : calls.flatMap((call, index) => parts(call, `call-${at}-${index}`)),
    finishReason: { unified: calls.length === 0 ? 'stop' : 'tool-calls', raw: undefined },
    usage: USAGE,
    warnings: [],
  }
}

function parts({ tool, input, id, providerResult }: ScriptedCall, fallback: string): Generated['content'] {
  const call = {
    type: 'tool-call',
    toolCallId: id ?? fallback,
    toolName: tool,
    input: JSON.stringify(input),
  } as const
  if (providerResult === undefined) return [call]
  const result = {
    type: 'tool-result',
    toolCallId: call.toolCallId,
    toolName: tool,
    result: providerResult,
  } as const
  return [{ ...call, providerExecuted: true }, result]
}

function streamOf({ content, finishReason, usage }: Generated): ReadableStream<StreamPart> {
  const chunks: StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    ...content.flatMap((part): StreamPart[] => {
      if (part.type !== 'text') return [part as StreamPart]
      return [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: part.text },
        { type: 'text-end', id: '1' },
      ]
    }),
    { type: 'finish', finishReason, usage },
  ]
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

export interface Told {
  readonly place: 'result' | 'message'
  readonly text: string
}

/** What a prompt contains since the model's last answer, in a tool's result or outside of one. */
export function toldIn(prompt: Prompt): readonly Told[] {
  const spoken = prompt.findLastIndex(({ role }) => role === 'assistant')
  return prompt.slice(spoken + 1).flatMap(({ content }): readonly Told[] => {
    if (typeof content === 'string') return [{ place: 'message', text: content }]
    const parts: readonly Part[] = content
    return parts.flatMap(({ text, output }): readonly Told[] => {
      if (text !== undefined) return [{ place: 'message', text }]
      return output === undefined ? [] : [{ place: 'result', text: textOf(output) }]
    })
  })
}

interface Part {
  readonly type: string
  readonly text?: string
  readonly output?: object
}

function textOf(output: object): string {
  if ('value' in output) return typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
  return 'reason' in output ? String(output.reason) : ''
}
