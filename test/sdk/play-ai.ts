import {
  generateText,
  jsonSchema,
  type ModelMessage,
  type StopCondition,
  stepCountIs,
  streamText,
  ToolLoopAgent,
  type ToolSet,
  tool,
} from 'ai'
import { z } from 'zod'
import { createCourier, type GuardToolsOptions, guardTools } from '../../src/adapters/ai/index.ts'
import type { Act, Scenario, Seen } from '../../src/adapters/scenarios.contract.ts'
import type { Runtime } from '../../src/library/runtime.ts'
import { cancelOnceLogged } from './cancelled.ts'
import { type ScriptedModel, scriptedModel, type Turn, toldIn } from './scripted-model.ts'

/** The three ways of the SDK to run an agent. Each returns the resulting messages. */
export type Way = (settings: Settings) => PromiseLike<ModelMessage[]>

export interface Settings {
  readonly model: ScriptedModel['model']
  readonly tools: ToolSet
  readonly messages: ModelMessage[]
  readonly prepareStep: ReturnType<typeof createCourier>['prepareStep']
  readonly stopWhen: StopCondition<ToolSet>[]
  readonly abortSignal: AbortSignal
}

export const WAYS: Readonly<Record<string, Way>> = {
  generateText: async (settings) => (await generateText(settings)).response.messages,
  streamText: async (settings) => {
    const result = streamText({ ...settings, onError: () => undefined })
    await result.consumeStream()
    return (await result.response).messages
  },
  ToolLoopAgent: async ({ messages, abortSignal, ...settings }) =>
    (await new ToolLoopAgent(settings).generate({ messages, abortSignal })).response.messages,
}

/** Plays a case of the contract with the real SDK, which asks the user by its approval or by a callback. */
export function playAi(way: Way, asking: 'by approval' | 'by callback') {
  return async (scene: Scenario, runtime: Runtime, log: string[]): Promise<Seen> => {
    const { model, prompts } = scriptedModel(turnsOf(scene.turns ?? [[{ note: 'a' }]]))
    const [ran, asked, notices]: [string[], string[], string[]] = [[], [], []]
    const courier = createCourier()
    const options: GuardToolsOptions = {
      session: 'contract',
      courier,
      notify: (notice) => void notices.push(notice),
      ...(asking === 'by callback'
        ? { ask: ({ reason }) => asked.push(reason) > 0 && scene.person === true }
        : {}),
    }
    const own = toolsOf(scene, ran, runtime, options)
    const settings = {
      model,
      tools: guardTools(runtime, own, options),
      prepareStep: courier.prepareStep,
      stopWhen: [stepCountIs(5), courier.stopWhen],
      abortSignal: cancelOnceLogged(scene, log),
    }
    const messages: ModelMessage[] = [{ role: 'user', content: 'Begin.' }]
    try {
      messages.push(...(await way({ ...settings, messages })))
      const answers = approvals(messages, scene.person === true)
      if (answers.length > 0) {
        asked.push(...notices)
        messages.push({ role: 'tool', content: answers })
        await way({ ...settings, messages })
      }
    } catch (error) {
      if (!settings.abortSignal.aborted) throw error
    }
    return { ran, asked, notices, told: prompts().flatMap(toldIn), requests: prompts().length }
  }
}

function turnsOf(turns: NonNullable<Scenario['turns']>): readonly Turn[] {
  return turns.map((acts) => ({
    calls: acts.map((act) =>
      'note' in act
        ? { tool: 'note', input: { text: act.note } }
        : { tool: 'delegate', input: { turns: act.delegate } },
    ),
  }))
}

function toolsOf(scene: Scenario, ran: string[], runtime: Runtime, options: GuardToolsOptions): ToolSet {
  const note = tool({
    inputSchema: z.object({ text: z.string() }),
    ...(scene.ownQuestion === true ? { needsApproval: true } : {}),
    execute: async ({ text }) => {
      ran.push(text)
      if (text === 'fail') throw new Error('the tool broke')
      return `noted ${text}`
    },
  })
  const delegate = tool({
    inputSchema: jsonSchema<{ readonly turns: readonly (readonly Act[])[] }>({ type: 'object' }),
    execute: async ({ turns }) => {
      const { model } = scriptedModel(turnsOf(turns))
      const tools = guardTools(runtime, { note }, { ...options, agent: 'helper' })
      return (await generateText({ model, tools, prompt: 'Help.', stopWhen: stepCountIs(5) })).text
    },
  })
  return { note, delegate }
}

function approvals(messages: readonly ModelMessage[], approved: boolean) {
  return messages.flatMap(({ content }) => {
    if (typeof content === 'string') return []
    const parts: readonly { readonly type: string; readonly approvalId?: string }[] = content
    return parts.flatMap(({ type, approvalId }) =>
      type === 'tool-approval-request' && approvalId !== undefined
        ? [{ type: 'tool-approval-response' as const, approvalId, approved }]
        : [],
    )
  })
}
