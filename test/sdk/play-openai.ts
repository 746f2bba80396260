import {
  Agent,
  type AgentInputItem,
  InputGuardrailTripwireTriggered,
  Runner,
  type RunState,
  tool,
} from '@openai/agents'
import { z } from 'zod'
import {
  createRunCourier,
  type GuardOptions,
  guardAgent,
  toolError,
} from '../../src/adapters/openai-agents/index.ts'
import type { Scenario, Seen } from '../../src/adapters/scenarios.contract.ts'
import type { Runtime } from '../../src/library/runtime.ts'
import { cancelOnceLogged } from './cancelled.ts'
import { type OpenaiTurn, openaiModel, toldTo } from './openai-model.ts'

type AnyAgent = Agent<unknown, 'text'>
type Input = string | AgentInputItem[] | RunState<unknown, AnyAgent>

/** The ways of the SDK to run an agent. */
export type OpenaiWay = (runner: Runner, agent: AnyAgent, input: Input, signal: AbortSignal) => Promise<Ended>

interface Ended {
  readonly interruptions?: readonly Parameters<RunState<unknown, AnyAgent>['approve']>[0][]
  readonly state: RunState<unknown, AnyAgent>
}

export const OPENAI_WAYS: Readonly<Record<string, OpenaiWay>> = {
  run: (runner, agent, input, signal) => runner.run(agent, input, { signal }),
  streamed: async (runner, agent, input, signal) => {
    const result = await runner.run(agent, input, { stream: true, signal })
    await result.completed
    return result
  },
}

/** Plays a case of the contract with the real SDK, which asks the user by its approval or by a callback. */
export function playOpenai(way: OpenaiWay, asking: 'by approval' | 'by callback') {
  return async (scene: Scenario, runtime: Runtime, log: string[]): Promise<Seen> => {
    const turns = scene.turns ?? [[{ note: 'a' }]]
    const model = openaiModel(turnsOf(turns))
    const [ran, asked, notices]: [string[], string[], string[]] = [[], [], []]
    const courier = createRunCourier()
    const signal = cancelOnceLogged(scene, log)
    const options: GuardOptions = {
      session: 'contract',
      courier,
      signal,
      notify: (notice) => void notices.push(notice),
      ...(asking === 'by callback'
        ? { ask: ({ reason }) => asked.push(reason) > 0 && scene.person === true }
        : {}),
    }
    const note = noteTool(scene, ran)
    const inner = turns.flat().flatMap((act) => ('delegate' in act ? act.delegate : []))
    const helper = new Agent({ name: 'helper', model: openaiModel(turnsOf(inner)), tools: [note] })
    const delegate = guardAgent(runtime, helper, options).asTool({ toolName: 'delegate' })
    const main = new Agent({ name: 'main', model, tools: [note, delegate] })
    const agent = guardAgent(runtime, main, options)
    const runner = new Runner({ tracingDisabled: true, callModelInputFilter: courier.callModelInputFilter })
    try {
      const { interruptions = [], state } = await way(runner, agent, 'Begin.', signal)
      if (interruptions.length > 0) {
        asked.push(...notices)
        for (const item of interruptions) scene.person === true ? state.approve(item) : state.reject(item)
        await way(runner, agent, state, signal)
      }
    } catch (error) {
      if (!signal.aborted && !(error instanceof InputGuardrailTripwireTriggered)) throw error
    }
    return { ran, asked, notices, told: toldTo(model), requests: model.calls.length }
  }
}

function turnsOf(turns: NonNullable<Scenario['turns']>): readonly OpenaiTurn[] {
  return turns.map((acts) => ({
    calls: acts.map((act) =>
      'note' in act
        ? { tool: 'note', input: { text: act.note } }
        : { tool: 'delegate', input: { input: 'Help.' } },
    ),
  }))
}

function noteTool(scene: Scenario, ran: string[]) {
  return tool({
    name: 'note',
    description: 'Notes a text.',
    parameters: z.object({ text: z.string() }),
    errorFunction: toolError,
    ...(scene.ownQuestion === true ? { needsApproval: true } : {}),
    execute: async ({ text }) => {
      ran.push(text)
      if (text === 'fail') throw new Error('the tool broke')
      return `noted ${text}`
    },
  })
}
