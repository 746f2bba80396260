import { describe, expect, it } from 'vitest'
import { defineGuard, definePack } from '../core/define-pack.ts'
import { type Guard, MADE_BY, type Pack } from '../core/guard.ts'
import { createRuntime } from './runtime.ts'

const guardOf = (more: Partial<Guard> = {}): Guard =>
  defineGuard({
    id: 'acme/no-deploy',
    title: 'Deployment by an agent',
    why: 'Only a person deploys.',
    instead: 'ask the user to run the deployment.',
    on: ['PreToolUse'],
    match: 'mcp__deploy__start',
    modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
    examples: { stops: [{ tool: 'mcp__deploy__start', input: {} }], passes: ['npm test'] },
    check: () => ({ caught: 'starts a deployment' }),
    ...more,
  })
const packOf = (more: Partial<Guard> = {}): Pack =>
  definePack({ id: 'acme', title: 'Rules of Acme', guards: [guardOf(more)] })
const DEPLOY = { kind: 'PreToolUse', tool: { name: 'mcp__deploy__start', input: { to: 'prod' } } } as const

async function effectWith(pack: Pack, options = {}): Promise<string> {
  const runtime = createRuntime({ packs: ['safety', [pack, options]] })
  return (await runtime.evaluate(DEPLOY)).effect
}

describe('a pack of the embedding program', () => {
  it('decides next to the built-in ones, and says what, why and what to do instead', async () => {
    const runtime = createRuntime({ packs: ['safety', packOf()] })
    const { effect, reason } = await runtime.evaluate(DEPLOY)
    expect(effect).toBe('ask')
    expect(reason).toContain('Deployment by an agent: this starts a deployment')
    expect(reason).toContain('Only a person deploys.')
    const push = { name: 'Bash', input: { command: 'git push --force' } }
    expect(await runtime.evaluate({ kind: 'PreToolUse', tool: push })).toMatchObject({ effect: 'deny' })
    const harmless = { name: 'mcp__deploy__list', input: {} }
    expect(await runtime.evaluate({ kind: 'PreToolUse', tool: harmless })).toMatchObject({ effect: 'pass' })
  })

  it('has levels, modes and options like a built-in pack', async () => {
    expect(await effectWith(packOf(), { level: 'strict' })).toBe('deny')
    expect(await effectWith(packOf(), { guards: { 'acme/no-deploy': 'off' } })).toBe('pass')
    const onlyProd = packOf({
      check: ({ event, options }) =>
        'tool' in event && event.tool.input.to === options.target ? { caught: 'deploys' } : null,
    })
    expect(await effectWith(onlyProd, { target: 'prod' })).toBe('ask')
    expect(await effectWith(onlyProd, { target: 'test' })).toBe('pass')
  })

  it.each<[string, Partial<Guard>]>([
    [
      'throws',
      {
        check: () => {
          throw new Error('broken')
        },
      },
    ],
    ['rejects', { check: () => Promise.reject(new Error('broken')) }],
    ['never answers', { check: () => new Promise(() => {}), timeoutMs: 50 }],
    ['answers with something else', { check: () => ({ dney: 'x' }) as never }],
    ['changes the event', { check: ({ event }) => Object.assign(event, { kind: 'Stop' }) as never }],
  ])('denies if its guard %s', async (_what, more) => {
    expect(await effectWith(packOf(more))).toBe('deny')
  })

  it('cannot allow what others deny, and cannot allow at all without `grants`', async () => {
    const allows = packOf({ match: '*', check: () => ({ effect: 'allow' }) })
    expect(await effectWith(allows)).toBe('pass')
    const runtime = createRuntime({ packs: ['safety', allows] })
    const push = { name: 'Bash', input: { command: 'git push --force' } }
    expect(await runtime.evaluate({ kind: 'PreToolUse', tool: push })).toMatchObject({ effect: 'deny' })
  })
})

describe('a pack with a mistake', () => {
  it.each<[string, unknown]>([
    ['small letters', { id: 'Acme', title: 'x', guards: [] }],
    ['has no title', { id: 'acme', title: '', guards: [] }],
    ['has no guards', { id: 'acme', title: 'x', guards: [] }],
    ['must be like', { id: 'acme', title: 'x', guards: [guardOf({ id: 'other/x' })] }],
    ['two guards', { id: 'acme', title: 'x', guards: [guardOf(), guardOf()] }],
    ['no text for `why`', { id: 'acme', title: 'x', guards: [guardOf({ why: '' })] }],
    ['names no events', { id: 'acme', title: 'x', guards: [guardOf({ on: [] })] }],
    ['which does not exist', { id: 'acme', title: 'x', guards: [guardOf({ on: ['Before' as never] })] }],
    ['whole tool names', { id: 'acme', title: 'x', guards: [guardOf({ match: 'mcp__deploy__*' })] }],
    ['whole tool names', { id: 'acme', title: 'x', guards: [guardOf({ match: 'Write|' })] }],
    ['no mode', { id: 'acme', title: 'x', guards: [guardOf({ modes: { standard: 'ask' } as never })] }],
    ['no function', { id: 'acme', title: 'x', guards: [guardOf({ check: undefined as never })] }],
    ['not a name', { id: 'acme', title: 'x', guards: [guardOf({ skill: 7 as never })] }],
    ['not a number', { id: 'acme', title: 'x', guards: [guardOf({ timeoutMs: 0 })] }],
    [
      'no examples of what it passes',
      { id: 'acme', title: 'x', guards: [guardOf({ examples: { stops: ['x'], passes: [] } })] },
    ],
    ['needs Holdpoint', { id: 'acme', title: 'x', holdpoint: '>=99', guards: [guardOf()] }],
    ['write a range', { id: 'acme', title: 'x', holdpoint: 'newest', guards: [guardOf()] }],
    ['two versions', { ...packOf(), [MADE_BY]: '0.0.1' }],
    ['without a known `type`', { id: 'acme', title: 'x', options: { a: {} }, guards: [guardOf()] }],
    [
      'reads the option `a`',
      { id: 'acme', title: 'x', guards: [guardOf({ options: { a: { type: 'string' } } })] },
    ],
    ['an id', undefined],
  ])('is refused: it says "%s"', (says, pack) => {
    expect(() => definePack(pack as Pack)).toThrow(says)
  })

  it('denies every call in a JavaScript program', async () => {
    const runtime = createRuntime({ packs: [{ id: 'acme' } as Pack] })
    await expect(runtime.ready()).rejects.toMatchObject({ problem: { code: 'PACK_INVALID' } })
    expect(await runtime.evaluate(DEPLOY)).toMatchObject({ effect: 'deny' })
  })

  it('may not have the name of another pack', async () => {
    const taken = createRuntime({
      packs: [{ ...packOf(), id: 'safety', guards: [guardOf({ id: 'safety/x' })] }],
    })
    await expect(taken.ready()).rejects.toMatchObject({ problem: { code: 'PACK_TAKEN' } })
    const twice = createRuntime({ packs: [packOf(), packOf()] })
    await expect(twice.ready()).rejects.toMatchObject({ problem: { code: 'PACK_TAKEN' } })
  })
})

describe('evaluateSync', () => {
  it('answers at once if evaluate would', () => {
    const runtime = createRuntime()
    runtime.register({ on: 'PreToolUse', run: () => ({ deny: 'No.' }) })
    expect(runtime.evaluateSync(DEPLOY)).toMatchObject({ effect: 'deny', reason: 'No.' })
  })

  it('denies a call, and lets a stop pass, if it would have to wait', async () => {
    const runtime = createRuntime({ packs: [packOf()] })
    expect(runtime.evaluateSync(DEPLOY)).toMatchObject({ effect: 'deny' })
    expect(runtime.evaluateSync({ kind: 'Stop' })).toMatchObject({ effect: 'pass' })
    await runtime.ready()
    expect(runtime.evaluateSync(DEPLOY)).toMatchObject({ effect: 'ask' })
    runtime.register({ on: 'PreToolUse', run: async () => undefined })
    expect(runtime.evaluateSync(DEPLOY)).toMatchObject({ effect: 'deny' })
  })
})
