import { generateText, stepCountIs, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { callOnce, cycle, onPost, onPre, runtimeWith, text } from '../../../test/sdk/guarded.ts'
import { scriptedModel, toldIn } from '../../../test/sdk/scripted-model.ts'
import { createRuntime } from '../../library/runtime.ts'
import { guardTools } from './index.ts'

const note = tool({ inputSchema: text, execute: async (input) => ({ noted: input.text }) })

describe('hooks', () => {
  it('check a call once, with its session and agent', async () => {
    const seen: string[] = []
    const runtime = runtimeWith(
      onPre((event) => void seen.push(about(event))),
      onPost((event) => void seen.push(about(event))),
    )
    const who = { session: 's-1', agent: 'writer-2', agentType: 'writer', cwd: '/srv/project' }
    await callOnce(guardTools(runtime, { note }, who), 'note')
    expect(seen).toEqual([
      'PreToolUse s-1 writer-2 writer /srv/project note call-1-0',
      'PostToolUse s-1 writer-2 writer /srv/project note call-1-0',
    ])
  })

  it('see the input that ran, not the one that was requested', async () => {
    const seen: unknown[] = []
    const runtime = runtimeWith(
      onPre(() => ({ rewrite: { text: 'b' } })),
      onPost(({ tool: { input }, output }) => void seen.push(input, output)),
    )
    await callOnce(guardTools(runtime, { note }), 'note')
    expect(seen).toEqual([{ text: 'b' }, { noted: 'b' }])
  })

  it('keep two conversations with the same ids apart', async () => {
    const runtime = runtimeWith(
      onPre(async ({ session }) => (session === 'strict' ? { deny: 'not here' } : undefined)),
    )
    const sessions = ['strict', 'free', 'strict', 'free']
    const runs = await Promise.all(
      sessions.map((session) => callOnce(guardTools(runtime, { note }, { session }), 'note')),
    )
    expect(runs.map(({ told }) => told.slice(0, 8))).toEqual(['not here', '{"noted"', 'not here', '{"noted"'])
  })

  it('give their texts to the model, while the program gets the original output', async () => {
    const late = { text: 'after', to: 'self', strategy: 'user_message' } as const
    const runtime = runtimeWith(
      onPre(() => ({ context: 'before' })),
      onPost(() => ({ effect: 'pass', context: [late] })),
    )
    const { result, told } = await callOnce(guardTools(runtime, { note }), 'note')
    // Without a courier, both texts are in the result.
    expect(told).toBe('{"noted":"a"}\n\nbefore\n\nafter')
    expect(result.steps[0]?.toolResults.map(({ output }) => output)).toEqual([{ noted: 'a' }])
  })

  it('that end the run deny every later call, even without a courier', async () => {
    const ran: string[] = []
    const runtime = runtimeWith(onPost(() => ({ effect: 'pass', halt: 'that is enough' })))
    const counted = tool({ inputSchema: text, execute: async (input) => ran.push(input.text) })
    const call = (word: string) => ({ calls: [{ tool: 'counted', input: { text: word } }] })
    const { model, prompts } = scriptedModel([call('a'), call('b')])
    const tools = guardTools(runtime, { counted })
    await generateText({ model, tools, prompt: 'Begin.', stopWhen: stepCountIs(3) })
    const last = prompts().slice(2).flatMap(toldIn)
    expect([ran, last]).toEqual([['a'], [{ place: 'result', text: 'that is enough' }]])
  })

  it('that end the run before a call do not let it start', async () => {
    const runtime = runtimeWith(onPre(() => ({ effect: 'pass', halt: 'that is enough' })))
    const { told } = await callOnce(guardTools(runtime, { note }), 'note')
    expect(told).toBe('that is enough')
  })
})

function about(event: {
  readonly kind: string
  readonly session: string
  readonly agentId?: string
  readonly agentType?: string
  readonly cwd: string
  readonly tool: { readonly name: string; readonly useId?: string }
}): string {
  const { kind, session, agentId, agentType, cwd, tool: call } = event
  return [kind, session, agentId, agentType, cwd, call.name, call.useId].join(' ')
}

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
  ])('%s denies the call, or withholds its output', async (_name, evaluate) => {
    const ran: string[] = []
    const counted = tool({ inputSchema: text, execute: async (input) => ran.push(input.text) })
    const broken = guardTools({ evaluate }, { counted })
    await callOnce(broken, 'counted').catch(() => undefined)
    expect(ran).toEqual([])
    const real = createRuntime()
    const half = guardTools(
      { evaluate: (event) => (event.kind === 'PreToolUse' ? real.evaluate(event) : evaluate()) },
      { counted },
    )
    const { result } = await callOnce(half, 'counted')
    expect([ran, result.steps[0]?.toolResults]).toEqual([['a'], []])
  })
})

describe('outputs', () => {
  it.each([
    ['nothing', undefined, null, 'null'],
    ['a date', new Date('2026-01-15'), '2026-01-15T00:00:00.000Z', '2026-01-15'],
    ['bytes', Buffer.from('hi'), { type: 'Buffer', data: [104, 105] }, 'Buffer'],
  ])('of any type are checked as JSON: %s', async (_name, output, judged, says) => {
    const seen: unknown[] = []
    const runtime = runtimeWith(onPost((event) => void seen.push(event.output)))
    const any = tool({ inputSchema: text, execute: async () => output as unknown })
    expect((await callOnce(guardTools(runtime, { any }), 'any')).told).toContain(says)
    expect(seen).toEqual([judged])
  })

  it.each([
    ['a BigInt', 1n],
    ['a cycle', cycle()],
  ])('that are not JSON are withheld: %s', async (_name, output) => {
    const any = tool({ inputSchema: text, execute: async () => output as unknown })
    expect((await callOnce(guardTools(runtimeWith(), { any }), 'any')).told).toContain('cannot be checked')
  })

  it('of 10 MB are checked and returned complete', async () => {
    const large = 'x'.repeat(10 * 1024 * 1024)
    const seen: number[] = []
    const runtime = runtimeWith(onPost(({ output }) => void seen.push(JSON.stringify(output).length)))
    const whole = tool({ inputSchema: text, execute: async () => large })
    const parts = tool({
      inputSchema: text,
      execute: async () =>
        Array.from({ length: 10 }, (_, i) => large.slice(i * 1024 * 1024, (i + 1) * 1024 * 1024)),
    })
    const tools = guardTools(runtime, { whole, parts })
    const told = [await callOnce(tools, 'whole'), await callOnce(tools, 'parts')].map(
      (run) => run.told.length,
    )
    expect(told.map((length) => length >= large.length)).toEqual([true, true])
    expect(seen.map((length) => length >= large.length)).toEqual([true, true])
  })

  it("are reported with the tool's own message, with the texts below", async () => {
    const runtime = runtimeWith(onPost(() => ({ context: 'keep in mind' })))
    const any = tool({
      inputSchema: text,
      execute: async () => ({ secret: 1 }),
      toModelOutput: () => ({ type: 'text', value: 'in own words' }),
    })
    expect((await callOnce(guardTools(runtime, { any }), 'any')).told).toBe('in own words\n\nkeep in mind')
  })
})
