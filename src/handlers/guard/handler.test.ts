import { describe, expect, it } from 'vitest'
import type { Guard, Mode } from '../../packs/guard.ts'
import { actorOf, bash, frozenFacts } from '../../testing/events.ts'
import { hookOf } from '../../testing/hooks.ts'
import { handlerContract } from '../handler.contract.ts'
import { create } from './handler.ts'

function guardOf(id: string, check: Guard['check'], more: Partial<Guard> = {}): Guard {
  return {
    id,
    title: 'Dropping the table',
    why: 'It cannot be undone.',
    instead: 'Rename it.',
    on: ['PreToolUse'],
    match: 'Bash',
    modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
    examples: { stops: [], passes: [] },
    check,
    ...more,
  }
}

const guards: Readonly<Record<string, Guard>> = {
  'p/denies': guardOf('p/denies', () => ({ caught: 'drops the table', fragment: 'drop' })),
  'p/unsure': guardOf('p/unsure', () => ({ caught: 'may drop it', unsure: 'the name is not known' })),
  'p/passes': guardOf('p/passes', async () => null),
  'p/breaks': guardOf('p/breaks', () => {
    throw new Error('broken')
  }),
  'p/keywords': guardOf('p/keywords', () => ({ caught: 'drops it' }), { keywords: ['drop'] }),
}

const handler = create({ guard: (id) => guards[id], callable: () => undefined, searchPath: (path) => path })
const hook = (guard: string, mode: Mode = 'deny', unsure: Mode = 'ask') =>
  hookOf({ run: { type: 'guard', pack: 'p', guard, mode, unsure, options: {} } })

handlerContract({
  handler,
  denies: hook('p/denies'),
  passes: hook('p/passes'),
  breaks: hook('p/breaks'),
  missing: hook('p/nowhere'),
})

async function run(guard: string, mode?: Mode, unsure?: Mode, command = 'ls') {
  const runner = await handler.prepare(hook(guard, mode, unsure))
  if (typeof runner !== 'function') throw new Error('not prepared')
  const event = bash(command)
  const signal = new AbortController().signal
  return runner({ event, actor: actorOf(event), facts: frozenFacts(), memory: {}, timeoutMs: 1_000, signal })
}

describe('a guard that caught something', () => {
  it.each<[Mode, object | null]>([
    ['deny', { effect: 'deny', guard: 'p/denies' }],
    ['ask', { effect: 'ask', guard: 'p/denies' }],
    ['warn', { effect: 'pass', notices: [expect.stringContaining('drops the table')] }],
    ['off', null],
  ])('does what its mode says: %s', async (mode, expected) => {
    const answer = await run('p/denies', mode)
    if (expected === null) expect(answer).toBeNull()
    else expect(answer).toMatchObject(expected)
  })

  it('tells the agent what, why and what to do instead', async () => {
    expect(await run('p/denies')).toMatchObject({
      reason:
        'Dropping the table: this drops the table (`drop`). It cannot be undone. Instead: Rename it. Do not retry it in another spelling.',
    })
  })

  it('and is not sure says what is unknown, and is never stricter than when it is', async () => {
    expect(await run('p/unsure', 'deny', 'ask')).toMatchObject({
      effect: 'ask',
      reason: expect.stringContaining('the name is not known'),
    })
    expect(await run('p/unsure', 'deny', 'deny')).toMatchObject({ effect: 'deny' })
    expect(await run('p/unsure', 'warn', 'deny')).toMatchObject({ effect: 'pass' })
  })

  it.each<[string, boolean]>([
    ['ls -la && make', true],
    ['drop it', false],
    ['d"ro"p it', false],
    ['d\\rop it', false],
    ['$X it', false],
    ['{dr,}op', false],
  ])('is not even asked about %s, which cannot hold its words: %s', async (command, skipped) => {
    expect((await run('p/keywords', 'deny', 'ask', command)) === null).toBe(skipped)
  })
})
