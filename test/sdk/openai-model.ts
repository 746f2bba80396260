import type { AgentInputItem, AgentOutputItem } from '@openai/agents'
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents/testing'
import type { Told } from './scripted-model.ts'

/** One turn of the model: the calls that it makes, or its text. */
export interface OpenaiTurn {
  readonly calls?: readonly {
    readonly tool: string
    readonly input: Record<string, unknown> | string
    readonly id?: string
  }[]
  /** Calls of tools that are not functions. */
  readonly items?: readonly AgentOutputItem[]
  readonly text?: string
}

/** The SDK's own model for tests. After its script it says that it is done. */
export function openaiModel(turns: readonly OpenaiTurn[]): ScriptedModel {
  const more: readonly OpenaiTurn[] = Array.from({ length: TURNS_MAX - turns.length }, () => ({}))
  return new ScriptedModel([...turns, ...more].map((turn, at) => modelResponder(() => outputOf(turn, at))))
}

const TURNS_MAX = 12

function outputOf({ calls = [], items = [], text = 'Done.' }: OpenaiTurn, at: number): AgentOutputItem[] {
  const made = calls.map(({ tool, input, id }, index) =>
    functionCall(tool, input, { callId: id ?? `call-${at}-${index}` }),
  )
  return made.length + items.length === 0 ? [assistantMessage(text)] : [...made, ...items]
}

/** What the model got in all its requests, in a tool's result or outside of one. */
export function toldTo(model: ScriptedModel): readonly Told[] {
  return model.calls.flatMap(({ request: { input } }) => {
    const items: readonly AgentInputItem[] =
      typeof input === 'string' ? [{ role: 'user', content: input }] : input
    const spoken = items.findLastIndex(
      (item) => item.type === 'function_call' || ('role' in item && item.role === 'assistant'),
    )
    return items.slice(spoken + 1).flatMap(toldIn)
  })
}

function toldIn(item: AgentInputItem): readonly Told[] {
  if ('role' in item && 'content' in item) return [{ place: 'message', text: textOf(item.content) }]
  return 'output' in item ? [{ place: 'result', text: textOf(item.output) }] : []
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && 'text' in value) return String(value.text)
  return Array.isArray(value) ? value.map(textOf).join('\n') : JSON.stringify(value)
}
