import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withWaivers } from '../../core/exceptions.ts'
import type { Guard, Mode } from '../../core/guard.ts'
import type { Hook } from '../../core/hook.ts'
import { actorOf, bash, frozenFacts } from '../../library/testing/events.ts'
import { hookOf } from '../../library/testing/hooks.ts'
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
  'p/answers': guardOf('p/answers', () => ({ effect: 'deny', reason: 'Not yet.', halt: 'over' })),
  'p/copies': guardOf('p/copies', async ({ facts }) => {
    const { project, ...copied } = { ...facts }
    return {
      caught: `${project}: ${(await copied.recentCommits(9)).length} commits, ${typeof copied.readText}`,
    }
  }),
  'p/passes': guardOf('p/passes', async () => null),
  'p/breaks': guardOf('p/breaks', () => {
    throw new Error('broken')
  }),
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

function run(guard: string, mode?: Mode, unsure?: Mode, command = 'ls') {
  return runHook(hook(guard, mode, unsure), command)
}

async function runHook(prepared: Hook, command = 'ls') {
  const runner = await handler.prepare(prepared)
  if (typeof runner !== 'function') throw new Error('not prepared')
  const event = bash(command)
  const signal = new AbortController().signal
  return runner({ event, actor: actorOf(event), facts: frozenFacts(), memory: {}, timeoutMs: 1_000, signal })
}

describe('a guard that matched', () => {
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
        'Dropping the table: this drops the table (`drop`). It cannot be undone. Instead: Rename it. Do not work around this by rewriting the command.',
    })
  })

  it('and is not sure says what is unknown, and is never stricter than a certain match', async () => {
    expect(await run('p/unsure', 'deny', 'ask')).toMatchObject({
      effect: 'ask',
      reason: expect.stringContaining('the name is not known'),
    })
    expect(await run('p/unsure', 'deny', 'deny')).toMatchObject({ effect: 'deny' })
    expect(await run('p/unsure', 'warn', 'deny')).toMatchObject({ effect: 'pass' })
  })

  it('is not run while its pack is paused, and runs again afterwards', async () => {
    const until = frozenFacts().now().getTime()
    const paused = (pausedUntilMs: number) =>
      hookOf({
        run: {
          ...{ type: 'guard', pack: 'p', guard: 'p/denies', mode: 'deny', unsure: 'ask' },
          options: withWaivers({}, { exceptions: [], pausedUntilMs }),
        },
      })
    expect(await runHook(paused(until + 1))).toBeNull()
    expect(await runHook(paused(until))).toMatchObject({ effect: 'deny' })
  })

  it('tells the user what was found, where it is configured, and how to allow it', async () => {
    const answer = await run('p/denies')
    expect(answer).toMatchObject({
      detail: { does: 'drops the table', fragment: 'drop', configured: 'test', layer: 'user' },
      notices: [expect.stringMatching(/holdpoint allow \w{4}-\w{4}$/)],
    })
  })
})

describe('a guard that needs commands', () => {
  const needing = (commands: readonly string[]) =>
    guardOf(
      'p/needs',
      ({ ran = new Map() }) => ({ effect: 'pass', detail: [...ran].map(([run, { kind }]) => [run, kind]) }),
      {
        needs: async ({ ran = new Map() }) => {
          const run = commands.find((each) => !ran.has(each))
          const failed = [...ran.values()].some(({ kind }) => kind !== 'succeeded')
          return run === undefined || failed ? undefined : { run, timeoutMs: 60_000 }
        },
      },
    )

  async function judge(commands: readonly string[], mayRun: boolean) {
    const project = mkdtempSync(join(tmpdir(), 'holdpoint-guard-'))
    const own = create({
      guard: () => needing(commands),
      callable: () => undefined,
      searchPath: (path) => path,
    })
    const run = {
      type: 'guard',
      pack: 'p',
      guard: 'p/needs',
      mode: 'deny',
      unsure: 'ask',
      options: {},
      mayRun,
    }
    const runner = await own.prepare(hookOf({ run }))
    if (typeof runner !== 'function') throw new Error('not prepared')
    const event = bash('ls')
    const { signal } = new AbortController()
    const facts = frozenFacts({ project, cwd: project, env: { PATH: process.env.PATH } })
    try {
      return await runner({ event, actor: actorOf(event), facts, memory: {}, timeoutMs: 600_000, signal })
    } finally {
      rmSync(project, { recursive: true })
    }
  }

  it('gets the outcomes of its commands, one after another, until it needs no more', async () => {
    expect(await judge(['true', 'exit 3', 'touch never'], true)).toMatchObject({
      detail: [
        ['true', 'succeeded'],
        ['exit 3', 'failed'],
      ],
    })
  })

  it('runs no commands if the layer may not run programs', async () => {
    expect(await judge(['true'], false)).toMatchObject({ detail: [['true', 'untrusted']] })
  })

  it('can only run a limited number of commands', async () => {
    const many = Array.from({ length: 20 }, (_, i) => `true ${i}`)
    expect(await judge(many, true)).toMatchObject({ detail: { length: 8 } })
  })
})

it('a guard of a file that is not trusted can copy the facts, and learns nothing from git', async () => {
  const untrusted = { ...hook('p/copies', 'warn'), trusted: false }
  expect(JSON.stringify(await runHook(untrusted))).toContain('0 commits, function')
})

describe('a guard that answers by itself', () => {
  it.each<[Mode, object]>([
    ['deny', { effect: 'deny', reason: 'Not yet.', halt: 'over' }],
    ['ask', { effect: 'ask', reason: 'Not yet.' }],
    ['warn', { effect: 'pass', notices: ['Not yet.'] }],
  ])('is no stricter than the mode %s', async (mode, answer) => {
    expect(await run('p/answers', mode)).toEqual(answer)
  })
})
