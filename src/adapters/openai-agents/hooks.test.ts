import { Agent, InputGuardrailTripwireTriggered, Runner, type Tool, tool } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cycle, onFailed, onPost, onPre, runtimeWith } from '../../../test/sdk/guarded.ts'
import { openaiModel, toldTo } from '../../../test/sdk/openai-model.ts'
import type { Runtime } from '../../library/runtime.ts'
import { createRunCourier, type GuardOptions, guardAgent, guardAgentTools, toolError } from './index.ts'

const runner = new Runner({ tracingDisabled: true })

/** Runs one call, and returns what the model got from it. */
async function callOnce(
  runtime: Pick<Runtime, 'evaluate'>,
  made: Tool,
  input: Record<string, unknown> | string = { text: 'a' },
  options: GuardOptions = {},
) {
  const model = openaiModel([{ calls: [{ tool: made.name, input }] }])
  const agent = guardAgent(runtime, new Agent({ name: 'main', model, tools: [made] }), options)
  const result = await runner.run(agent, 'Begin.')
  const results = toldTo(model).filter(({ place }) => place === 'result')
  return { result, model, told: results.map((each) => each.text).join('\n') }
}

const parameters = z.object({ text: z.string() })

function noting(returned: unknown = undefined, more: object = {}) {
  const ran: string[] = []
  const note = tool({
    name: 'note',
    description: 'Notes.',
    parameters,
    execute: async ({ text }) => (ran.push(text), returned === undefined ? `noted ${text}` : returned),
    ...more,
  })
  return { ran, note }
}

describe('hooks', () => {
  it('check a call once, with its session and agent', async () => {
    const seen: unknown[] = []
    const runtime = runtimeWith(
      onPre(
        ({ kind, session, agentId, agentType, cwd, tool: call }) =>
          void seen.push([kind, session, agentId, agentType, cwd, call.name, call.useId]),
      ),
      onPost(({ kind, tool: { input }, output }) => void seen.push([kind, input, output])),
    )
    const who = { session: 's-1', agent: 'writer-2', agentType: 'writer', cwd: '/srv/project' }
    await callOnce(runtime, noting().note, { text: 'a' }, who)
    expect(seen).toEqual([
      ['PreToolUse', 's-1', 'writer-2', 'writer', '/srv/project', 'note', 'call-0-0'],
      ['PostToolUse', { text: 'a' }, 'noted a'],
    ])
  })

  it('see the input that ran, and the tool gets it as its schema makes it', async () => {
    const seen: unknown[] = []
    const stamps: Date[] = []
    const stamp = tool({
      name: 'stamp',
      description: 'Stamps.',
      parameters: z.object({ at: z.string() }),
      execute: async ({ at }) => `${stamps.push(new Date(at))}`,
    })
    const FEBRUARY = '2026-02-01T00:00:00.000Z'
    const runtime = runtimeWith(
      onPre(() => ({ rewrite: { at: FEBRUARY } })),
      onPost(({ tool: { input } }) => void seen.push(input)),
    )
    await callOnce(runtime, stamp, { at: '2026-01-15T00:00:00.000Z' })
    expect([seen, stamps]).toEqual([[{ at: FEBRUARY }], [new Date(FEBRUARY)]])
  })

  it('cannot make a tool run with an input that it does not accept', async () => {
    const { ran, note } = noting(undefined, { errorFunction: toolError })
    const runtime = runtimeWith(onPre(() => ({ rewrite: { text: 7 } })))
    const { told } = await callOnce(runtime, note)
    expect([ran, told]).toEqual([[], expect.stringContaining('Invalid')])
  })

  it('see arguments of any kind', async () => {
    const seen: unknown[] = []
    const got: unknown[] = []
    const free = tool({
      name: 'free',
      description: 'Takes anything.',
      strict: false,
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      execute: async (input) => `${got.push(input)}`,
    })
    const runtime = runtimeWith(onPre(({ tool: { input } }) => void seen.push(input)))
    const ask = () => true
    for (const input of [
      '{}',
      '{"a":{"b":[1,null]}}',
      '{"a":1,"a":2}',
      '{"__proto__":{"x":1}}',
      '[1]',
      '"\\u0000"',
    ]) {
      await callOnce(runtime, free, input, { ask })
    }
    expect(seen.slice(0, 3)).toEqual([{}, { a: { b: [1, null] } }, { a: 2 }])
    expect(seen.slice(4)).toEqual([{ value: [1] }, { value: '\u0000' }])
    expect(JSON.stringify(seen[3])).toBe('{"__proto__":{"x":1}}')
    expect(got.slice(0, 3)).toEqual(seen.slice(0, 3))
  })

  it('that end the run let the model not be called again, also if the agent must give JSON', async () => {
    const halt = runtimeWith(onPost(() => ({ effect: 'pass', halt: 'that is enough' })))
    const { result, model } = await callOnce(halt, noting().note)
    expect([result.finalOutput, model.calls.length]).toEqual(['that is enough', 1])
    const json = openaiModel([{ calls: [{ tool: 'note', input: { text: 'a' } }] }])
    const outputType = z.object({ sum: z.number() })
    const strict = new Agent({ name: 'main', model: json, tools: [noting().note], outputType })
    const ended = await runner.run(guardAgent(halt, strict), 'Begin.')
    expect(() => ended.finalOutput).toThrow()
    expect(json.calls).toHaveLength(1)
  })

  it('that end the run before a call do not let it start', async () => {
    const { ran, note } = noting()
    const { result } = await callOnce(runtimeWith(onPre(() => ({ effect: 'pass', halt: 'enough' }))), note)
    expect([ran, result.finalOutput]).toEqual([[], 'enough'])
  })

  it('give their texts in the result, or as messages if an output must stay as its schema says', async () => {
    const late = { text: 'after', to: 'self', strategy: 'user_message' } as const
    const runtime = runtimeWith(
      onPre(() => ({ context: 'before' })),
      onPost(() => ({ effect: 'pass', context: [late] })),
    )
    expect((await callOnce(runtime, noting().note)).told).toBe('noted a\n\nbefore\n\nafter')
    const sum = tool({
      name: 'sum',
      description: 'Sums.',
      parameters,
      outputSchema: z.object({ sum: z.number() }),
      execute: async () => ({ sum: 1 }),
    })
    const courier = createRunCourier()
    const model = openaiModel([{ calls: [{ tool: 'sum', input: { text: 'a' } }] }])
    const agent = guardAgent(runtime, new Agent({ name: 'main', model, tools: [sum] }), { courier })
    await runner.run(agent, 'Begin.', { callModelInputFilter: courier.callModelInputFilter })
    expect(toldTo(model).slice(1)).toEqual([
      { place: 'result', text: '{"sum":1}' },
      { place: 'message', text: 'after' },
      { place: 'message', text: 'before' },
    ])
  })
})

describe('outputs', () => {
  const keep = runtimeWith(onPost(() => ({ context: 'keep in mind' })))

  it.each([
    ['a text', { type: 'text', text: 'hi' }, 'hi\nkeep in mind'],
    ['a list', [{ type: 'text', text: 'hi' }], 'hi\nkeep in mind'],
    ['an object', { sum: 1 }, '{"sum":1}\n\nkeep in mind'],
    ['an empty text', '', 'keep in mind'],
    ['nothing', null, 'keep in mind'],
  ])('have the texts of hooks below: %s', async (_name, returned, told) => {
    expect((await callOnce(keep, noting(returned).note)).told).toBe(told)
  })

  it.each([
    ['a BigInt', 1n],
    ['a cycle', cycle()],
  ])('that are not JSON are withheld: %s', async (_name, returned) => {
    expect((await callOnce(runtimeWith(), noting(returned).note)).told).toContain('cannot be checked')
  })

  it('of 10 MB are checked and returned complete', async () => {
    const large = 'x'.repeat(10 * 1024 * 1024)
    const seen: number[] = []
    const runtime = runtimeWith(onPost(({ output }) => void seen.push(String(output).length)))
    const { told } = await callOnce(runtime, noting(large).note)
    expect([told.length, seen]).toEqual([large.length, [large.length]])
  })
})

describe('a tool that fails', () => {
  const failing = (more: object) =>
    tool({
      name: 'bad',
      description: 'Fails.',
      parameters,
      execute: async (): Promise<string> => Promise.reject(new TypeError('broken')),
      ...more,
    })

  it('with `toolError` reaches hooks, and the model reads both', async () => {
    const seen: string[] = []
    const runtime = runtimeWith(
      onFailed(
        ({ error, interrupted }) => (seen.push(`${error} ${interrupted}`), { context: 'see the manual' }),
      ),
    )
    const { told } = await callOnce(runtime, failing({ errorFunction: toolError }))
    expect([seen, told]).toEqual([['broken false'], 'broken\n\nsee the manual'])
  })

  it('without it is an output for hooks, as the SDK writes it', async () => {
    const seen: unknown[] = []
    const runtime = runtimeWith(onPost(({ output }) => void seen.push(output)))
    await callOnce(runtime, failing({}))
    expect(seen).toEqual([expect.stringContaining('An error occurred')])
  })

  it('and may throw ends the run as without hooks, and hooks see it', async () => {
    const seen: string[] = []
    const runtime = runtimeWith(onFailed(({ error }) => void seen.push(error)))
    await expect(callOnce(runtime, failing({ errorFunction: null }))).rejects.toThrow('broken')
    expect(seen).toEqual(['broken'])
  })

  it('has its time limit for itself: hooks and the user are not counted', async () => {
    const slow = runtimeWith(
      onPre(async () => void (await new Promise((resolve) => setTimeout(resolve, 60)))),
    )
    const { note, ran } = noting(undefined, { timeoutMs: 30 })
    expect([(await callOnce(slow, note)).told, ran]).toEqual(['noted a', ['a']])
    const never = failing({ timeoutMs: 20, execute: () => new Promise(() => {}) })
    expect((await callOnce(runtimeWith(), never)).told).toContain('timed out')
  })
})

describe('a runtime that itself', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('gone')
      },
    ],
    ['rejects', () => Promise.reject(new Error('gone'))],
    ['answers nonsense', () => ({ allowed: 'perhaps', effect: 'gone', injections: {}, notices: 1 }) as never],
  ])('%s denies the prompt and the call, and withholds the output', async (_name, evaluate) => {
    const real = runtimeWith()
    const brokenAt = (kind: string): Pick<Runtime, 'evaluate'> => ({
      evaluate: (event) => (event.kind === kind ? evaluate() : real.evaluate(event)),
    })
    const { ran, note } = noting()
    await expect(callOnce(brokenAt('UserPromptSubmit'), note)).rejects.toThrow(
      InputGuardrailTripwireTriggered,
    )
    await callOnce(brokenAt('PreToolUse'), note).catch(() => undefined)
    expect(ran).toEqual([])
    const { told } = await callOnce(brokenAt('PostToolUse'), note).catch(() => ({ told: '' }))
    expect([ran, told.includes('noted')]).toEqual([['a'], false])
  })
})

describe('the prompt', () => {
  const onPrompt = (answer: object) =>
    runtimeWith((each) => void each.register({ on: 'UserPromptSubmit', run: () => answer }))

  it('is the last message of the user; its denial has the reason', async () => {
    const seen: string[] = []
    const runtime = runtimeWith((each) => {
      each.register({
        on: 'UserPromptSubmit',
        run: ({ prompt }) => (seen.push(prompt), { deny: 'not this' }),
      })
    })
    const model = openaiModel([])
    const agent = guardAgent(runtime, new Agent({ name: 'main', model }))
    const parts = [
      { type: 'input_text' as const, text: 'Third' },
      { type: 'input_text' as const, text: 'part.' },
    ]
    for (const input of [
      'First.',
      [
        { role: 'user' as const, content: 'Old.' },
        { role: 'user' as const, content: 'Second.' },
      ],
      [{ role: 'user' as const, content: parts }],
    ]) {
      await expect(runner.run(agent, input)).rejects.toThrow('not this')
    }
    expect([seen, model.calls.length]).toEqual([['First.', 'Second.', 'Third\npart.'], 0])
  })

  it('may bring texts for the model', async () => {
    const courier = createRunCourier()
    const model = openaiModel([])
    const agent = guardAgent(onPrompt({ context: 'Be brief.' }), new Agent({ name: 'main', model }), {
      courier,
    })
    await runner.run(agent, 'Begin.', { callModelInputFilter: courier.callModelInputFilter })
    expect(toldTo(model).map(({ text }) => text)).toEqual(['Begin.', 'Be brief.'])
  })
})

describe('a cancelled call', () => {
  it('ends at once while the user is asked, and while its output is checked', async () => {
    const never = () => new Promise<never>(() => {})
    for (const [runtime, more] of [
      [runtimeWith(onPre(() => ({ ask: 'Sure?' }))), { ask: never }],
      [runtimeWith(onPost(never)), {}],
    ] as const) {
      const controller = new AbortController()
      const model = openaiModel([{ calls: [{ tool: 'note', input: { text: 'a' } }] }])
      const agent = guardAgent(runtime, new Agent({ name: 'main', model, tools: [noting().note] }), more)
      const running = runner.run(agent, 'Begin.', { signal: controller.signal })
      setTimeout(() => controller.abort(new Error('cancelled')), 30)
      await running.catch(() => undefined)
      expect(model.calls).toHaveLength(1)
    }
  })
})

describe('guardAgentTools', () => {
  it('guards tools that are passed to the SDK in another way', async () => {
    const { ran, note } = noting()
    const [guarded] = guardAgentTools(runtimeWith(onPre(() => ({ deny: 'not here' }))), [note], {
      agent: 'voice',
    })
    const model = openaiModel([{ calls: [{ tool: 'note', input: { text: 'a' } }] }])
    await runner.run(new Agent({ name: 'main', model, tools: [guarded] }), 'Begin.')
    expect([ran, toldTo(model).at(-1)?.text]).toEqual([[], 'not here'])
  })
})
