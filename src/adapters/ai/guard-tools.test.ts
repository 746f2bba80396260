import { dynamicTool, generateText, streamText, type ToolSet, tool } from 'ai'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { callOnce, onPost, onPre, runtimeWith, text } from '../../../test/sdk/guarded.ts'
import { scriptedModel } from '../../../test/sdk/scripted-model.ts'
import type { Runtime } from '../../library/runtime.ts'
import { TOOL_KINDS } from './adapter.ts'
import { whyUnchecked } from './guard-tools.ts'
import { guardTools, isDeniedError } from './index.ts'

const deny = runtimeWith(onPre(() => ({ deny: 'not here' })))
const free = runtimeWith()

const search = { type: 'provider', id: 'demo.search', args: {}, inputSchema: text } as const
const client = tool({ inputSchema: text, outputSchema: z.string() })

const KINDS: Readonly<Record<keyof typeof TOOL_KINDS, ToolSet[string]>> = {
  function: tool({ inputSchema: text, execute: async () => 'ran' }),
  dynamic: dynamicTool({ inputSchema: text, execute: async () => 'ran' }),
  streaming: tool({
    inputSchema: text,
    async *execute() {
      yield 'runs'
      yield 'ran'
    },
  }),
  providerDefined: { ...search, execute: async () => 'ran' },
  client,
  providerRun: search,
}

describe('kinds of tools', () => {
  const kinds = Object.entries(TOOL_KINDS).map(([kind, { before, after }]) => {
    return [kind as keyof typeof TOOL_KINDS, before, after] as const
  })

  it.each(kinds)('%s: before it runs %s, after %s', async (kind, before, after) => {
    const seen: unknown[] = []
    const watching = runtimeWith(onPost(({ output }) => void seen.push(output)))
    const name = 'anything'
    const once = async (runtime: Runtime) => callOnce(guardTools(runtime, { [name]: KINDS[kind] }), name)
    const refused: unknown = await once(deny).then(
      ({ told }) => told,
      (error: unknown) => error,
    )
    expect(String(refused)).toContain(before === 'checked' ? 'not here' : 'runs at the provider')
    await once(watching).catch(() => undefined)
    expect(seen).toEqual(after === 'checked' ? ['ran'] : [])
  })

  it('keep their types', () => {
    const note = tool({ inputSchema: text, execute: async (input) => input.text.length })
    expectTypeOf(guardTools(deny, { note }).note).toEqualTypeOf(note)
  })

  it('of a class keep inherited properties and their own `this`', async () => {
    class Counter {
      readonly unit = 'letters'
      get inputSchema() {
        return text
      }
      needsApproval() {
        return this.unit !== 'letters'
      }
      async execute(input: { readonly text: string }) {
        return `${input.text.length} ${this.unit}`
      }
      toModelOutput({ output }: { readonly output: unknown }) {
        return { type: 'text', value: `${output} (in ${this.unit})` } as const
      }
    }
    const tools = guardTools(free, { count: new Counter() as unknown as ToolSet[string] })
    expect((await callOnce(tools, 'count')).told).toBe('1 letters (in letters)')
  })

  it('run even if onNotice throws', async () => {
    const warn = runtimeWith(onPre(() => ({ warn: 'look' })))
    const notify = () => {
      throw new Error('no screen')
    }
    const tools = guardTools(warn, { note: KINDS.function }, { notify })
    expect((await callOnce(tools, 'note')).told).toBe('ran')
  })

  it('run by the provider pass if the program names them as unguarded', async () => {
    const tools = guardTools(deny, { search }, { unguarded: ['search'] })
    expect(tools.search).toBe(search)
    const call = { tool: 'search', input: { text: 'a' }, providerResult: 'found' }
    const { model } = scriptedModel([{ calls: [call] }])
    const result = await generateText({ model, tools, prompt: 'Begin.' })
    expect(result.toolResults.map(({ output }) => output)).toEqual(['found'])
  })
})

describe('a tool without execute', () => {
  it('passes if hooks have no objection', async () => {
    const { result } = await callOnce(guardTools(free, { client }), 'client')
    expect(result.content.map(({ type }) => type)).toEqual(['tool-call'])
  })

  it.each([
    ['a deny', { deny: 'not here' }, {}, 'not here'],
    ['a no', { ask: 'Sure?' }, { ask: () => false }, 'did not agree'],
    ['a changed input', { rewrite: { text: 'b' } }, {}, 'exactly this input'],
  ])(
    'ends the run with an error at %s, before the program sees the call',
    async (_name, answer, options, says) => {
      const tools = guardTools(runtimeWith(onPre(() => answer)), { client }, options)
      const error: unknown = await callOnce(tools, 'client').catch((reason: unknown) => reason)
      expect([isDeniedError(error), String(error)]).toEqual([true, expect.stringContaining(says)])
    },
  )

  it.each([
    ['becomes an approval request', {}, ['tool-call', 'tool-approval-request']],
    ['is answered by a callback', { ask: () => true }, ['tool-call']],
  ])('ask %s', async (_name, options, types) => {
    const asking = runtimeWith(onPre(() => ({ ask: 'Sure?' })))
    const { result } = await callOnce(guardTools(asking, { client }, options), 'client')
    expect(result.content.map(({ type }) => type)).toEqual(types)
  })

  it('streamed: the program has already seen the call when the error comes', async () => {
    const { model } = scriptedModel([{ calls: [{ tool: 'client', input: { text: 'a' } }] }])
    const tools = guardTools(deny, { client })
    const { fullStream } = streamText({ model, tools, prompt: 'Begin.', onError: () => {} })
    const types: string[] = []
    for await (const { type } of fullStream) if (type === 'tool-call' || type === 'error') types.push(type)
    expect(types).toEqual(['tool-call', 'error'])
  })
})

describe('a tool whose calls no hook could check', () => {
  it.each([
    ['run by the provider', { type: 'provider', id: 'a.b', args: {} }, true, true],
    [
      'run by the provider, as version 5 says it',
      { type: 'provider-defined', id: 'a.b', args: {} },
      true,
      true,
    ],
    ['without execute', {}, true, false],
    ['without execute, in version 5', {}, false, true],
    ['with execute, in version 5', { execute: () => 1 }, false, false],
  ])('%s', (_name, tool, hasApproval, isRefused) => {
    const why = whyUnchecked(tool as never, hasApproval)
    expect(why !== undefined).toBe(isRefused)
  })
})
