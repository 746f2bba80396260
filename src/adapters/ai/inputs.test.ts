import { jsonSchema, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ALONE, callOnce, cycle, onPre, runtimeWith, text } from '../../../test/sdk/guarded.ts'
import { guardTools } from './index.ts'

describe('inputs', () => {
  const stamps: Date[] = []
  const stamp = tool({
    inputSchema: z.object({ at: z.iso.datetime().transform((at) => new Date(at)) }),
    execute: async ({ at }) => stamps.push(at) > 0,
  })
  const JANUARY = '2026-01-15T00:00:00.000Z'
  const FEBRUARY = '2026-02-01T00:00:00.000Z'

  it('are checked as JSON and run as the schema transforms them', async () => {
    const seen: unknown[] = []
    const runtime = runtimeWith(onPre(({ tool: { input } }) => void seen.push(input)))
    await callOnce(guardTools(runtime, { stamp }), 'stamp', { at: JANUARY })
    expect([seen, stamps.splice(0)]).toEqual([[{ at: JANUARY }], [new Date(JANUARY)]])
  })

  it.each([
    ['as the schema transforms them', { at: FEBRUARY }, [new Date(FEBRUARY)], 'true'],
    ['or not at all', { at: 'never' }, [], 'one that the tool does not accept'],
  ])('after a rewrite run %s', async (_name, rewrite, ran, says) => {
    const runtime = runtimeWith(onPre(() => ({ rewrite })))
    const { told } = await callOnce(guardTools(runtime, { stamp }), 'stamp', { at: JANUARY })
    expect(stamps.splice(0)).toEqual(ran)
    expect(told).toContain(says)
  })

  it('that the schema transforms are checked again as they run', async () => {
    const ran: unknown[] = []
    const below = z.string().transform((path) => `/etc${path}`)
    const open = tool({ inputSchema: z.object({ path: below }), execute: async (input) => ran.push(input) })
    const [seen, guard]: [unknown[], boolean[]] = [[], []]
    const runtime = runtimeWith(
      onPre(({ tool: { input } }) =>
        guard.push(true) > 1 ? undefined : { rewrite: { ...input, path: '/b' } },
      ),
      onPre(({ tool: { input } }) => void seen.push(input.path)),
    )
    const { told } = await callOnce(guardTools(runtime, { open }), 'open', { path: '/a' })
    expect([ran, seen.at(-1), told]).toEqual([[{ path: '/etc/b' }], '/etc/b', '1'])
    const nosy = runtimeWith(onPre(({ tool: { input } }) => ({ rewrite: { path: `${input.path}/..` } })))
    const second = await callOnce(guardTools(nosy, { open }), 'open', { path: '/a' })
    expect([ran.length, second.told]).toEqual([1, expect.stringContaining('do not agree')])
    const closed = runtimeWith(
      onPre(({ tool: { input } }) =>
        input.path === '/etc/a' ? { rewrite: { path: '/shadow' } } : undefined,
      ),
      onPre(({ tool: { input } }) => (input.path === '/etc/shadow' ? { deny: 'not that' } : undefined)),
    )
    const third = await callOnce(guardTools(closed, { open }), 'open', { path: '/a' })
    expect([ran.length, third.told]).toEqual([1, expect.stringContaining('not that')])
  })

  it('to which the schema only adds defaults are checked once', async () => {
    const ran: unknown[] = []
    const list = tool({
      inputSchema: z.object({ path: z.string(), depth: z.number().default(3) }),
      execute: async (input) => ran.push(input),
    })
    const seen: unknown[] = []
    const runtime = runtimeWith(
      onPre(() => ({ rewrite: { path: 'b', more: 1 } }), { rewrites: true }),
      onPre(({ tool: { input } }) => void seen.push(input)),
    )
    await callOnce(guardTools(runtime, { list }), 'list', { path: 'a' })
    expect([ran, seen]).toEqual([[{ path: 'b', depth: 3 }], [{ path: 'b', more: 1 }]])
  })

  it('run unchanged if the schema checks nothing, and are denied if it throws', async () => {
    const ran: unknown[] = []
    const execute = async (input: unknown) => ran.push(input)
    const loose = tool({ inputSchema: jsonSchema<unknown>({ type: 'object' }), execute })
    const validate = () => {
      throw new Error('no schema today')
    }
    const broken = tool({ inputSchema: jsonSchema<unknown>({ type: 'object' }, { validate }), execute })
    const tools = guardTools(runtimeWith(onPre(() => ({ rewrite: { any: 1 } }))), { loose, broken })
    await tools.loose.execute?.({}, ALONE)
    await expect(tools.broken.execute?.({}, ALONE)).rejects.toThrow('no schema today')
    expect(ran).toEqual([{ any: 1 }])
  })

  it('that are bare values are checked and rewritten as `value`', async () => {
    const ran: unknown[] = []
    const word = tool({ inputSchema: z.string(), execute: async (input) => ran.push(input) })
    const rewrite = { value: 'b' }
    const runtime = runtimeWith(
      onPre(({ tool: { input } }) => (input.value === 'a' ? { rewrite } : undefined)),
    )
    await callOnce(guardTools(runtime, { word }), 'word', 'a')
    const day = tool({
      inputSchema: z.iso.datetime().transform((at) => new Date(at)),
      execute: async (input) => ran.push(input),
    })
    const later = runtimeWith(onPre(() => ({ rewrite: { value: FEBRUARY } })))
    await callOnce(guardTools(later, { day }), 'day', JANUARY)
    expect(ran).toEqual(['b', new Date(FEBRUARY)])
  })

  it.each([
    ['a BigInt', { text: 1n }],
    ['a cycle', cycle()],
    ['a function', () => 1],
  ])('that are not JSON cannot be checked and do not run: %s', async (_name, input) => {
    const ran: unknown[] = []
    const any = tool({ inputSchema: jsonSchema<unknown>({}), execute: async (given) => ran.push(given) })
    const { any: guarded } = guardTools(runtimeWith(), { any })
    await expect(guarded.execute?.(input, ALONE)).rejects.toThrow('cannot check')
    expect(ran).toEqual([])
  })

  it('that change between approval and run are checked again', async () => {
    const runtime = runtimeWith(
      onPre(({ tool: { input } }) => (input.text === 'b' ? { deny: 'not b' } : undefined)),
    )
    const note = tool({ inputSchema: text, execute: async (input) => input.text })
    const { note: guarded } = guardTools(runtime, { note })
    const needsApproval = guarded.needsApproval as (input: unknown, options: object) => Promise<boolean>
    expect(await needsApproval({ text: 'a' }, ALONE)).toBe(false)
    await expect(guarded.execute?.({ text: 'b' }, ALONE)).rejects.toThrow('not b')
  })
})
