import { Agent, Runner, RunState, tool } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { onPre, runtimeWith } from '../../../test/sdk/guarded.ts'
import { openaiModel, toldTo } from '../../../test/sdk/openai-model.ts'
import type { Runtime } from '../../library/runtime.ts'
import { createRunCourier, type GuardOptions, guardAgent } from './index.ts'

const runner = new Runner({ tracingDisabled: true })
const ask = onPre(({ tool: { input } }) => ('text' in input ? { ask: 'Is that meant?' } : undefined))

function setUp(options: { readonly needsApproval?: boolean } = {}, input: object | string = { text: 'a' }) {
  const ran: string[] = []
  const note = tool({
    name: 'note',
    description: 'Notes.',
    parameters: z.object({ text: z.string() }),
    ...options,
    execute: async ({ text }) => `noted ${ran.push(text)}`,
  })
  const model = openaiModel([{ calls: [{ tool: 'note', input: input as Record<string, unknown> }] }])
  const agentOf = (runtime: Runtime, more: GuardOptions = {}) =>
    guardAgent(runtime, new Agent({ name: 'main', model, tools: [note] }), more)
  return { ran, note, model, agentOf, told: () => toldTo(model).map(({ text }) => text) }
}

describe('asking', () => {
  it.each([
    ['no', () => false],
    ['a value other than true', () => 'yes' as never],
    ['with an error', () => Promise.reject(new Error('the person left'))],
  ])('the call is denied if the user answers %s', async (_name, answer) => {
    const { ran, agentOf, told } = setUp()
    await runner.run(agentOf(runtimeWith(ask), { ask: answer }), 'Begin.')
    expect([ran, told().at(-1)]).toEqual([[], expect.stringContaining('Is that meant?')])
  })

  it('shows what would run, and which agent calls', async () => {
    const questions: unknown[] = []
    const runtime = runtimeWith(
      ask,
      onPre(() => ({ rewrite: { text: 'b' } }), { rewrites: true }),
    )
    const who = { session: 's-1', agent: 'writer' }
    const { ran, agentOf } = setUp()
    await runner.run(agentOf(runtime, { ...who, ask: (question) => questions.push(question) > 0 }), 'Begin.')
    const asked = { tool: 'note', input: { text: 'b' }, reason: 'Is that meant?', useId: 'call-0-0' }
    expect([questions, ran]).toEqual([[{ ...asked, ...who }], ['b']])
  })

  it('by approval cannot show a changed call, so the model must make the changed call itself', async () => {
    const runtime = runtimeWith(
      ask,
      onPre(({ tool: { input } }) => (input.text === 'b' ? undefined : { rewrite: { text: 'b' } }), {
        rewrites: true,
      }),
    )
    const { ran, agentOf, told } = setUp()
    const { interruptions } = await runner.run(agentOf(runtime), 'Begin.')
    expect([ran, interruptions, told().at(-1)]).toEqual([
      [],
      [],
      expect.stringContaining('exactly this input: {"text":"b"}'),
    ])
  })

  it('by approval shows the reason as a notice, because the interruption has no field for it', async () => {
    const notices: string[] = []
    const { agentOf } = setUp()
    await runner.run(agentOf(runtimeWith(ask), { notify: (notice) => void notices.push(notice) }), 'Begin.')
    expect(notices).toEqual(['note waits for approval: Is that meant?'])
  })

  it("the tool's own needsApproval still works, also next to our callback", async () => {
    for (const options of [{}, { ask: () => true }]) {
      const { ran, agentOf } = setUp({ needsApproval: true })
      const { interruptions } = await runner.run(agentOf(runtimeWith(), options), 'Begin.')
      expect([ran, interruptions.length]).toEqual([[], 1])
    }
  })
})

describe('arguments that are not JSON', () => {
  it('are an error for the model, as without hooks, if hooks ask by a callback', async () => {
    const { ran, agentOf, told } = setUp({}, 'not JSON')
    const { finalOutput } = await runner.run(agentOf(runtimeWith(), { ask: () => true }), 'Begin.')
    expect([ran, finalOutput, told().at(-1)]).toEqual([[], 'Done.', expect.stringContaining('valid JSON')])
  })

  it('interrupt the run without one, because the SDK cannot ask its own question about them', async () => {
    const { ran, agentOf, told } = setUp({}, 'not JSON')
    const agent = agentOf(runtimeWith())
    const { interruptions, state } = await runner.run(agent, 'Begin.')
    for (const item of interruptions) state.approve(item)
    await runner.run(agent, state)
    expect([interruptions.length, ran, told().at(-1)]).toEqual([1, [], expect.stringContaining('valid JSON')])
  })
})

describe('an approval that comes later', () => {
  /** The run is interrupted, and continues in another process, with other hooks. */
  async function approve(first: Runtime, second: Runtime) {
    const { ran, agentOf, told } = setUp()
    const waiting = await runner.run(agentOf(first), 'Begin.')
    const agent = agentOf(second)
    const state = await RunState.fromString<unknown, typeof agent>(agent, waiting.state.toString())
    for (const item of state.getInterruptions()) state.approve(item)
    await runner.run(agent, state)
    return { ran, told: told() }
  }

  it('is valid in another process', async () => {
    expect((await approve(runtimeWith(ask), runtimeWith(ask))).ran).toEqual(['a'])
  })

  it('is not enough if a hook denies the call meanwhile', async () => {
    const strict = runtimeWith(onPre(() => ({ deny: 'closed by now' })))
    const { ran, told } = await approve(runtimeWith(ask), strict)
    expect([ran, told.at(-1)]).toEqual([[], 'closed by now'])
  })

  it('does not run a call that hooks change now, because the user has not seen the change', async () => {
    const changing = runtimeWith(onPre(() => ({ rewrite: { text: 'b' } })))
    const { ran, told } = await approve(runtimeWith(ask), changing)
    expect([ran, told.at(-1)]).toEqual([[], expect.stringContaining('exactly this input: {"text":"b"}')])
  })

  it('runs the hooks of the call again: they may have become stricter', async () => {
    let times = 0
    const runtime = runtimeWith(onPre(() => (times++ === 0 ? { ask: 'Sure?' } : { deny: 'closed by now' })))
    const { ran, agentOf } = setUp()
    const agent = agentOf(runtime)
    const { interruptions, state } = await runner.run(agent, 'Begin.')
    for (const item of interruptions) state.approve(item)
    await runner.run(agent, state)
    expect([ran, times]).toEqual([[], 2])
  })

  it('shows every text once: to the user before, to the model after the call', async () => {
    const keep = { text: 'keep in mind', to: 'self', strategy: 'user_message' } as const
    const runtime = runtimeWith(
      ask,
      onPre(() => ({ effect: 'pass', context: [keep] })),
      onPre(() => ({ warn: 'have a look' })),
    )
    const notices: string[] = []
    const courier = createRunCourier()
    const { agentOf, told } = setUp()
    const agent = agentOf(runtime, { courier, notify: (notice) => void notices.push(notice) })
    const options = { callModelInputFilter: courier.callModelInputFilter }
    const { interruptions, state } = await runner.run(agent, 'Begin.', options)
    for (const item of interruptions) state.approve(item)
    await runner.run(agent, state, options)
    expect(notices).toEqual(['have a look', 'note waits for approval: Is that meant?'])
    expect(told().filter((text) => text === 'keep in mind')).toHaveLength(1)
  })
})

describe('an agent that is used as a tool and waits for an approval', () => {
  it.each([false, true])(
    'goes on when the user has answered, also from a stored state: %s',
    async (isStored) => {
      const kinds: string[] = []
      const runtime = runtimeWith(
        ask,
        (each) =>
          void each.register({
            on: ['SubagentStart', 'SubagentStop', 'PostToolUse'],
            run: ({ kind, agentId }) => void kinds.push(`${kind} ${agentId ?? ''}`),
          }),
      )
      const { ran, agentOf } = setUp()
      const helper = agentOf(runtime).clone({ name: 'helper' })
      const model = openaiModel([{ calls: [{ tool: 'help', input: { input: 'Help.' } }] }])
      const tools = [helper.asTool({ toolName: 'help' })]
      const main = guardAgent(runtime, new Agent({ name: 'main', model, tools }))
      const waiting = await runner.run(main, 'Begin.')
      const stored = await RunState.fromString<unknown, typeof main>(main, waiting.state.toString())
      const state = isStored ? stored : (waiting.state as unknown as typeof stored)
      expect([ran, state.getInterruptions().length, kinds]).toEqual([[], 1, ['SubagentStart helper']])
      for (const item of state.getInterruptions()) state.approve(item)
      const { finalOutput } = await runner.run(main, state)
      expect([ran, finalOutput]).toEqual([['a'], 'Done.'])
      expect(kinds).toEqual([
        'SubagentStart helper',
        'PostToolUse helper',
        'SubagentStop helper',
        'PostToolUse ',
      ])
    },
  )
})
