import { streamText, type ToolSet, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { ALONE, onFailed, onPost, onPre, runtimeWith, text } from '../../../test/sdk/guarded.ts'
import { scriptedModel } from '../../../test/sdk/scripted-model.ts'
import type { Runtime } from '../../library/runtime.ts'
import { type GuardToolsOptions, guardTools } from './index.ts'

describe('a tool that fails', () => {
  const failing = (thrown: unknown) =>
    tool({ inputSchema: text, execute: async (): Promise<string> => Promise.reject(thrown) })

  it.each([
    ['with an error', new TypeError('broken'), 'broken'],
    ['with a text', 'just a text', 'just a text'],
  ])('%s fails with its own error, and hooks see the failure', async (_name, thrown, says) => {
    const seen: string[] = []
    const runtime = runtimeWith(
      onFailed(({ error, interrupted }) => void seen.push(`${error} ${interrupted}`)),
    )
    const { bad } = guardTools(runtime, { bad: failing(thrown) })
    await expect(bad.execute?.({ text: 'a' }, ALONE)).rejects.toBe(thrown)
    expect(seen).toEqual([`${says} false`])
  })

  it('keeps its error as the cause if hooks add a text', async () => {
    const error = new TypeError('broken')
    const runtime = runtimeWith(onFailed(() => ({ context: 'see the manual' })))
    const { bad } = guardTools(runtime, { bad: failing(error) })
    await expect(bad.execute?.({ text: 'a' }, ALONE)).rejects.toMatchObject({
      name: 'TypeError',
      message: 'broken\n\nsee the manual',
      cause: error,
    })
  })
})

describe('a cancelled call', () => {
  const never = () => new Promise<never>(() => {})
  const note = tool({ inputSchema: text, execute: async () => 'noted' })

  it.each([
    ['before it is checked', runtimeWith(onPre(never)), {}],
    ['while the user is asked', runtimeWith(onPre(() => ({ ask: 'Sure?' }))), { ask: never }],
    ['while its output is checked', runtimeWith(onPost(never)), {}],
  ])('%s ends at once', async (_name, runtime, options) => {
    const controller = new AbortController()
    const { note: guarded } = guardTools(runtime, { note }, options)
    const running = guarded.execute?.({ text: 'a' }, { ...ALONE, abortSignal: controller.signal })
    setTimeout(() => controller.abort(new Error('cancelled')), 10)
    await expect(running).rejects.toThrow('cancelled')
  })

  it('does not start if it was cancelled before', async () => {
    const ran: string[] = []
    const counted = tool({ inputSchema: text, execute: async (input) => ran.push(input.text) })
    const { counted: guarded } = guardTools(runtimeWith(), { counted })
    const abortSignal = AbortSignal.abort(new Error('cancelled'))
    await expect(guarded.execute?.({ text: 'a' }, { ...ALONE, abortSignal })).rejects.toThrow('cancelled')
    expect(ran).toEqual([])
  })

  it('is reported to hooks as interrupted, without waiting for them', async () => {
    const seen: boolean[] = []
    const controller = new AbortController()
    const hook = onFailed(({ interrupted }) => (seen.push(interrupted), never()))
    const slow = tool({
      inputSchema: text,
      execute: (_input, { abortSignal }) =>
        new Promise<string>((_resolve, reject) => {
          abortSignal?.addEventListener('abort', () => reject(abortSignal.reason))
          controller.abort(new Error('cancelled'))
        }),
    })
    const { slow: guarded } = guardTools(runtimeWith(hook), { slow })
    const running = guarded.execute?.({ text: 'a' }, { ...ALONE, abortSignal: controller.signal })
    await expect(running).rejects.toThrow('cancelled')
    expect(seen).toEqual([true])
  })
})

describe('a streaming tool', () => {
  const stream = tool({
    inputSchema: text,
    async *execute() {
      yield 'one'
      yield 'two'
      yield 'three'
    },
  })

  /** What the program sees of the tool, in order; values before the last one in brackets. */
  async function outputs(runtime: Runtime, options: GuardToolsOptions, tools: ToolSet = { stream }) {
    const name = Object.keys(tools)[0] ?? ''
    const { model } = scriptedModel([{ calls: [{ tool: name, input: { text: 'a' } }] }])
    const { fullStream } = streamText({ model, tools: guardTools(runtime, tools, options), prompt: 'Begin.' })
    const seen: unknown[] = []
    for await (const part of fullStream) {
      if (part.type === 'tool-result') seen.push(part.preliminary === true ? `(${part.output})` : part.output)
      if (part.type === 'tool-error') seen.push(String(part.error))
    }
    return seen
  }
  const free = runtimeWith()
  const deny = runtimeWith(onPre(() => ({ deny: 'not here' })))
  const mask = runtimeWith(onPost(() => ({ effect: 'pass', output: 'masked' })))
  const withhold = runtimeWith(onPost(() => ({ deny: 'not for you' })))

  it.each([
    ['held back: only the checked last value is seen', free, 'held', ['three']],
    ['held back: a new output', mask, 'held', ['masked']],
    ['held back: nothing', withhold, 'held', ['ToolCallDenied: not for you']],
    ['held back: not started', deny, 'held', ['ToolCallDenied: not here']],
    ['released: all of it', free, 'released', ['(one)', '(two)', '(three)', 'three']],
    ['released: a new output', mask, 'released', ['(one)', '(two)', '(three)', '(masked)', 'masked']],
    [
      'released: no last value',
      withhold,
      'released',
      ['(one)', '(two)', '(three)', 'ToolCallDenied: not for you'],
    ],
    ['released: not started', deny, 'released', ['ToolCallDenied: not here']],
  ] as const)('%s', async (_name, runtime, preliminary, expected) => {
    expect(await outputs(runtime, { preliminary })).toEqual(expected)
  })

  it.each([
    ['held', ['Error: broken']],
    ['released', ['(one)', 'Error: broken']],
  ] as const)('%s: a tool that throws before its last value', async (preliminary, expected) => {
    const half = tool({
      inputSchema: text,
      async *execute() {
        yield 'one'
        throw new Error('broken')
      },
    })
    expect(await outputs(free, { preliminary }, { half })).toEqual(expected)
  })

  it('that yields nothing has no output', async () => {
    const empty = { inputSchema: text, async *execute() {} }
    expect(await outputs(free, {}, { empty })).toEqual([undefined])
  })
})
