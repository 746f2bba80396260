import { Agent, handoff, Runner, tool } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runtimeWith } from '../../../test/sdk/guarded.ts'
import { openaiModel, toldTo } from '../../../test/sdk/openai-model.ts'
import { defineHook, type HookAnswer } from '../../core/define-hook.ts'
import type { Runtime } from '../../library/runtime.ts'
import { createRunCourier, type GuardOptions, guardAgent } from './index.ts'

const runner = new Runner({ tracingDisabled: true })
const call = (tool: string, input: Record<string, unknown> = {}) => ({ calls: [{ tool, input }] })
const note = (text: string) => call('note', { text })

/** A main agent hands over to a clerk, who may hand back. */
function team(
  clerkTurns = [note('inner'), { text: 'Signed.' }],
  mainTurns = [note('outer'), call('transfer_to_clerk')],
) {
  const ran: string[] = []
  const tools = [
    tool({
      name: 'note',
      description: 'Notes.',
      parameters: z.object({ text: z.string() }),
      execute: async ({ text }) => `noted ${ran.push(text)}`,
    }),
  ]
  const models = { main: openaiModel(mainTurns), clerk: openaiModel(clerkTurns) }
  const clerk = new Agent({ name: 'clerk', model: models.clerk, tools })
  const main = new Agent({ name: 'main', model: models.main, tools, handoffs: [clerk] })
  clerk.handoffs = [main]
  return { ran, clerk, main, models }
}

function logging(
  answer: (event: { kind: string; agent: string; tool: string }) => HookAnswer | undefined = () => undefined,
) {
  const log: string[] = []
  const runtime = runtimeWith((each) => {
    each.register(
      defineHook({
        on: ['PreToolUse', 'SubagentStart', 'SubagentStop'],
        run: (event, { actor }) => {
          const tool =
            'tool' in event
              ? `${event.tool.name} ${event.tool.input.subagent_type ?? event.tool.input.text}`
              : ''
          const said = 'lastMessage' in event ? `"${event.lastMessage}"` : ''
          const agent = actor.agentId ?? 'main'
          log.push(`${agent}<${actor.parent ?? ''} ${event.kind} ${tool}${said}`.trim())
          return answer({ kind: event.kind, agent, tool })
        },
      }),
    )
  })
  return { log, runtime }
}

describe('a handoff', () => {
  it('is a call of Agent, and the next agent has its own name and its parent', async () => {
    const { log, runtime } = logging()
    const { main, ran } = team()
    const { finalOutput } = await runner.run(guardAgent(runtime, main, { session: 's' }), 'Begin.')
    expect([finalOutput, ran]).toEqual(['Signed.', ['outer', 'inner']])
    expect(log).toEqual([
      'main< PreToolUse note outer',
      'main< PreToolUse Agent clerk',
      'clerk<unknown SubagentStart',
      'clerk<main PreToolUse note inner',
      'clerk<main SubagentStop "Signed."',
    ])
  })

  it('back to the main agent ends the other one', async () => {
    const { log, runtime } = logging()
    const { main } = team([note('inner'), call('transfer_to_main')])
    await runner.run(guardAgent(runtime, main, { session: 's' }), 'Begin.')
    expect(log.slice(3)).toEqual([
      'clerk<main PreToolUse note inner',
      'clerk<main PreToolUse Agent main',
      'clerk<main SubagentStop',
    ])
  })

  it.each([
    ['denied', { deny: 'not to the clerk' }],
    ['asked about, and the user cannot be asked,', { ask: 'not to the clerk' }],
  ])('that is %s leaves the conversation where it is; the model gets the reason', async (_name, answer) => {
    const { log, runtime } = logging(({ tool }) => (tool === 'Agent clerk' ? answer : undefined))
    const courier = createRunCourier()
    const { main, models, ran } = team()
    const options = { callModelInputFilter: courier.callModelInputFilter }
    const { finalOutput } = await runner.run(guardAgent(runtime, main, { courier }), 'Begin.', options)
    expect([finalOutput, ran, models.clerk.calls.length, log.length]).toEqual(['Done.', ['outer'], 0, 2])
    expect(toldTo(models.main).at(-1)).toMatchObject({
      place: 'message',
      text: expect.stringContaining('not to the clerk'),
    })
  })

  it('that is denied ends the run if no message can carry the reason', async () => {
    const { runtime } = logging(({ tool }) =>
      tool === 'Agent clerk' ? { deny: 'not to the clerk' } : undefined,
    )
    const { main, models } = team()
    await expect(runner.run(guardAgent(runtime, main), 'Begin.')).rejects.toThrow(
      'The handoff to clerk was denied: not to the clerk',
    )
    expect(models.clerk.calls).toHaveLength(0)
  })

  it('keeps its own settings, and hooks may change its input', async () => {
    const given: unknown[] = []
    const runtime = runtimeWith((each) => {
      each.register({
        on: 'PreToolUse',
        match: 'Agent',
        run: ({ tool: { input } }) => ({ rewrite: { ...input, topic: 'b' } }),
      })
    })
    const { clerk, models } = team()
    const mainModel = openaiModel([call('escalate', { topic: 'a' })])
    const escalate = handoff(clerk, {
      toolNameOverride: 'escalate',
      inputType: z.object({ topic: z.string() }),
      onHandoff: (_context, input) => void given.push(input),
    })
    const main = new Agent({ name: 'main', model: mainModel, handoffs: [escalate] })
    await runner.run(guardAgent(runtime, main), 'Begin.')
    expect([given, models.clerk.calls.length > 0]).toEqual([[{ topic: 'b' }], true])
  })

  it('cannot be sent to another agent by a hook', async () => {
    const runtime = runtimeWith((each) => {
      each.register({
        on: 'PreToolUse',
        match: 'Agent',
        run: () => ({ rewrite: { subagent_type: 'other' } }),
      })
    })
    const { main, models } = team()
    await expect(runner.run(guardAgent(runtime, main), 'Begin.')).rejects.toThrow('cannot be changed')
    expect(models.clerk.calls).toHaveLength(0)
  })

  it('takes along the messages that waited for the agent before', async () => {
    const keep = { text: 'keep in mind', to: 'self', strategy: 'user_message' } as const
    const runtime = runtimeWith((each) => {
      each.register({ on: 'PostToolUse', run: () => ({ effect: 'pass', context: [keep] }) })
    })
    const courier = createRunCourier()
    const both = { calls: [...note('outer').calls, ...call('transfer_to_clerk').calls] }
    const { main, models } = team([{ text: 'Signed.' }], [both])
    const options = { callModelInputFilter: courier.callModelInputFilter }
    await runner.run(guardAgent(runtime, main, { courier }), 'Begin.', options)
    expect(toldTo(models.clerk).filter(({ text }) => text === 'keep in mind')).toHaveLength(1)
  })
})

describe('agents as tools', () => {
  const played = async (runtime: Pick<Runtime, 'evaluate'>, options: GuardOptions = {}) => {
    const { clerk, ran } = team()
    const tools = [guardAgent(runtime, clerk, options).asTool({ toolName: 'ask_clerk' })]
    const input = { input: 'Sign it.' }
    const model = openaiModel([
      {
        calls: [
          { tool: 'ask_clerk', input, id: 'one' },
          { tool: 'ask_clerk', input, id: 'two' },
        ],
      },
    ])
    await runner.run(guardAgent(runtime, new Agent({ name: 'main', model, tools }), options), 'Begin.')
    return { ran, model }
  }

  it('that run at the same time each start and stop', async () => {
    const { log, runtime } = logging()
    await played(runtime, { session: 's' })
    const count = (word: string) => log.filter((line) => line.includes(word)).length
    expect([count('SubagentStart'), count('SubagentStop'), count('Agent clerk')]).toEqual([2, 2, 2])
  })

  it('stop also if they fail', async () => {
    const { log, runtime } = logging()
    const broken = new Agent({ name: 'clerk', model: openaiModel([call('no_such_tool')]) })
    const tools = [guardAgent(runtime, broken).asTool({ toolName: 'ask_clerk' })]
    const model = openaiModel([call('ask_clerk', { input: 'Sign it.' })])
    await runner.run(guardAgent(runtime, new Agent({ name: 'main', model, tools })), 'Begin.')
    expect(log.map((line) => line.split(' ')[1])).toEqual(['PreToolUse', 'SubagentStart', 'SubagentStop'])
  })

  it('run even if hooks at their start and end are broken', async () => {
    const notices: string[] = []
    const real = runtimeWith()
    const runtime: Pick<Runtime, 'evaluate'> = {
      evaluate: (event) =>
        event.kind.startsWith('Subagent') ? Promise.reject(new Error('gone')) : real.evaluate(event),
    }
    const { ran } = await played(runtime, { notify: (notice) => void notices.push(notice) })
    expect(ran.length).toBeGreaterThan(0)
    expect(notices).toContain('Holdpoint itself failed at SubagentStart: gone.')
  })
})
