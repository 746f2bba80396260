import type { AgentInputItem, CallModelInputFilter } from '@openai/agents'

/**
 * Passes what hooks say to the next request to the model, as separate messages, and remembers the end of the run.
 * Create one for each run or conversation, because it remembers where its messages stand.
 */
export interface RunCourier {
  /** For `callModelInputFilter` of `run` or `new Runner`. */
  readonly callModelInputFilter: CallModelInputFilter
  /** The same, if the program has a filter of its own: it gets the messages including Holdpoint's. */
  around(own: CallModelInputFilter): CallModelInputFilter
  /** Why a hook ended the run; undefined while it may go on. */
  halted(): string | undefined
  /** A message for the agent with this name. */
  send(agent: string, text: string): void
  /** One agent continues the conversation of another, and gets the messages that wait for it. */
  handOver(from: string, to: string): void
  halt(why: string): void
}

export function createRunCourier(): RunCourier {
  const waiting = new Map<string, readonly string[]>()
  const placed: { readonly after: string; readonly text: string }[] = []
  let why: string | undefined

  // What a filter adds is part of one request only, so everything is added again, after the same item.
  const callModelInputFilter: CallModelInputFilter = ({ modelData, agent }) => {
    const { input } = modelData
    const texts = waiting.get(agent.name) ?? []
    waiting.delete(agent.name)
    const last = input.at(-1)
    const after = last === undefined ? '' : keyOf(last)
    placed.push(...texts.map((text) => ({ after, text })))
    return placed.length === 0 ? modelData : { ...modelData, input: withTexts(input, placed) }
  }
  return {
    callModelInputFilter,
    around: (own) => async (args) => own({ ...args, modelData: await callModelInputFilter(args) }),
    halted: () => why,
    send(agent, text) {
      waiting.set(agent, [...(waiting.get(agent) ?? []), text])
    },
    handOver(from, to) {
      for (const text of waiting.get(from) ?? []) this.send(to, text)
      waiting.delete(from)
    },
    halt(text) {
      why ??= text
    },
  }
}

/** A message whose item is not there was sent before: the service keeps that part of the conversation. */
function withTexts(
  input: readonly AgentInputItem[],
  placed: readonly { readonly after: string; readonly text: string }[],
): AgentInputItem[] {
  const keys = input.map(keyOf)
  const at = placed.map(({ after, text }) => ({
    index: after === '' ? -1 : keys.lastIndexOf(after),
    after,
    text,
  }))
  const behind = (index: number) =>
    at
      .filter((each) => each.index === index && (index >= 0 || each.after === ''))
      .map(({ text }): AgentInputItem => ({ type: 'message', role: 'user', content: text }))
  return [...behind(-1), ...input.flatMap((item, index) => [item, ...behind(index)])]
}

function keyOf(item: AgentInputItem): string {
  return 'callId' in item && typeof item.callId === 'string'
    ? `${item.type} ${item.callId}`
    : JSON.stringify(item)
}
