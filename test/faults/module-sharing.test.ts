import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Answer, Failure } from '../../src/core/decision.ts'
import type { Hook } from '../../src/core/hook.ts'
import { createModuleHandler } from '../../src/handlers/module/handler.ts'
import { actorOf, bash, frozenFacts } from '../../src/library/testing/events.ts'
import { hookOf } from '../../src/library/testing/hooks.ts'
import { createPool, type Pool } from '../../src/system/modules/pool.ts'

// Modules of one file share a process. Whatever one of them does, the others answer, and nothing passes by accident.

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-sharing-'))
const pools: Pool[] = []
afterAll(() => {
  for (const pool of pools) pool.dispose()
  rmSync(folder, { recursive: true, force: true })
})

type Outcome = Answer | Failure | null

const TIME_MS = 60_000
const PATIENT = { timeout: 120_000, interval: 10 }
/** Answers with its process id, so that the tests see who shares a process. */
const HONEST = `export default () => ({ deny: String(process.pid) })`

function hook(name: string, text: string, more: Partial<Hook> = {}): Hook {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return hookOf({ run: { type: 'module', module: `./${name}`, root: folder }, ...more })
}

/** A group of modules, called together as at one event. */
async function group(hooks: readonly Hook[], processesMax = 8) {
  const pool = createPool(processesMax, 60_000)
  pools.push(pool)
  const handler = createModuleHandler(pool, { searchPath: (path) => path })
  const runners = await Promise.all(hooks.map((each) => handler.prepare(each)))
  const env = { PATH: process.env.PATH }
  const facts = frozenFacts({ cwd: folder, project: folder, env })
  return (timesMs: readonly number[] = []): Promise<readonly Outcome[]> => {
    const event = bash('ls', { cwd: folder })
    return Promise.all(
      runners.map(async (runner, i) => {
        if (typeof runner !== 'function') return runner
        const timeoutMs = timesMs[i] ?? TIME_MS
        const controller = new AbortController()
        const timer = setTimeout(() => controller.abort(), timeoutMs)
        const { signal } = controller
        const outcome = await runner({
          event,
          actor: actorOf(event),
          facts,
          memory: { seen: 1 },
          timeoutMs,
          signal,
        })
        clearTimeout(timer)
        return outcome
      }),
    )
  }
}

const reason = (outcome: Outcome | undefined) =>
  outcome !== null && outcome !== undefined && 'reason' in outcome ? outcome.reason : JSON.stringify(outcome)

describe('modules of one file', () => {
  it('share a process, also when there are many of them', async () => {
    const hooks = Array.from({ length: 60 }, (_, i) => hook(`many/${i}.mjs`, HONEST))
    const call = await group(hooks)
    // On a busy machine one of them may have seemed to hold the others, and then runs alone for a while.
    await vi.waitFor(async () => expect(new Set((await call()).map(reason)).size).toBe(1), PATIENT)
  })

  it('run side by side', async () => {
    // Each waits for the other one.
    const wait = (own: string, other: string) => `
      import { existsSync, writeFileSync } from 'node:fs'
      export default async () => {
        writeFileSync(${JSON.stringify(join(folder, own))}, '')
        while (!existsSync(${JSON.stringify(join(folder, other))})) await new Promise((r) => setTimeout(r, 5))
        return { deny: String(process.pid) }
      }`
    const call = await group([hook('one.mjs', wait('a', 'b')), hook('two.mjs', wait('b', 'a'))])
    const [one, two] = (await call()).map(reason)
    expect(one).toMatch(/^\d+$/)
    expect(two).toBe(one)
  })

  it('each have their own copy of the event and the context', async () => {
    const spoils = `export default (event, context) => {
      event.tool.input.command = 'spoiled'; context.memory.seen = 2; context.env.PATH = ''
      delete context.actor
      return { deny: 'spoiled' }
    }`
    const reads = `export default (event, context) =>
      ({ deny: [event.tool.input.command, context.memory.seen, context.env.PATH !== '', 'actor' in context].join() })`
    const call = await group([hook('spoils.mjs', spoils), hook('reads.mjs', reads)])
    expect((await call()).map(reason)).toEqual(['spoiled', 'ls,1,true,true'])
  })

  it('of which one changed: the others are loaded again too, so a file they share has one version', async () => {
    const word = (text: string) => writeFileSync(join(folder, 'word.mjs'), `export const word = '${text}'`)
    word('old')
    const says = `import { word } from './word.mjs'\nexport default () => ({ deny: word })`
    const [first, second] = [hook('first.mjs', says), hook('second.mjs', says)]
    const pool = createPool(2, 60_000)
    pools.push(pool)
    const handler = createModuleHandler(pool, { searchPath: (path) => path })
    const facts = frozenFacts({ cwd: folder, project: folder, env: {} })
    const event = bash('ls', { cwd: folder })
    const { signal } = new AbortController()
    const ask = async (of: Hook) => {
      const runner = await handler.prepare(of)
      if (typeof runner !== 'function') throw new Error('not prepared')
      return runner({ event, actor: actorOf(event), facts, memory: {}, timeoutMs: TIME_MS, signal })
    }
    expect(await ask(first)).toMatchObject({ reason: 'old' })
    word('newer')
    expect(await ask(second)).toMatchObject({ reason: 'newer' })
  })
})

const run = (body: string) =>
  `import * as fs from 'node:fs'\nimport * as processes from 'node:child_process'\nexport default async () => { ${body} }`

/** What it does | its code | what becomes of it. Its neighbours always answer. */
const FAULTS: readonly (readonly [string, string, object])[] = [
  ['spins', run('for (;;) {}'), { failure: 'timeout' }],
  ['spins when it is loaded', 'for (;;) {}\nexport default () => {}', { failure: 'timeout' }],
  [
    'spins after a while',
    run('await new Promise((r) => setTimeout(r, 20)); for (;;) {}'),
    { failure: 'timeout' },
  ],
  ['spins in microtasks', run('for (;;) await null'), { failure: 'timeout' }],
  ['runs a program to its end', run(`processes.spawnSync('sleep', ['300'])`), { failure: 'timeout' }],
  ['never answers', run('await new Promise(() => {})'), { failure: 'timeout' }],
  ['exits', run('process.exit(0)'), { failure: 'crash', message: expect.stringContaining('code 0') }],
  ['exits when it is loaded', 'process.exit(0)', { failure: 'import' }],
  [
    'exits after a while',
    run('await new Promise((r) => setTimeout(r, 20)); process.exit(0)'),
    { failure: 'crash' },
  ],
  ['aborts', run('process.abort()'), { failure: 'crash' }],
  [
    'throws later',
    run(`setTimeout(() => { throw new Error('later') }, 1); await new Promise(() => {})`),
    { failure: 'crash', message: expect.stringContaining('later') },
  ],
  [
    'leaves a rejection behind',
    run(`Promise.reject(new Error('stray')); await new Promise(() => {})`),
    { failure: 'crash' },
  ],
  ['throws', run(`throw new Error('oh')`), { failure: 'crash', message: expect.stringContaining('oh') }],
  ['throws when it is loaded', `throw new Error('oh')`, { failure: 'import' }],
  [
    'fills the heap',
    run('const all = []; for (;;) all.push(Array(1e5).fill(all.length))'),
    { failure: 'crash', message: expect.stringContaining('memory') },
  ],
  ['closes the pipe', run('fs.closeSync(4); await new Promise(() => {})'), { failure: 'crash' }],
  [
    'writes to the pipe',
    run(`fs.writeSync(4, 'null\\n'); await new Promise(() => {})`),
    { failure: 'crash' },
  ],
  [
    'floods the pipe',
    run(`for (;;) fs.writeSync(4, 'x'.repeat(65536))`),
    { failure: expect.stringMatching(/^(?:invalidOutput|crash)$/) },
  ],
  [
    'answers for all',
    run(
      `for (let i = 0; i < 3; i++) fs.writeSync(4, JSON.stringify({ id: 1, kind: 'answer', call: i, answer: null }) + '\\n'); return { deny: 'x' }`,
    ),
    { failure: 'crash' },
  ],
  [
    'prints a lot',
    run(
      `for (let i = 0; i < 20; i++) { console.log('x'.repeat(1e5)); console.error('y'.repeat(1e5)) }; return { deny: 'printed' }`,
    ),
    { reason: 'printed' },
  ],
  [
    'changes built-in objects',
    `Array.prototype.includes = () => false; JSON.stringify = () => 'null'\nexport default () => ({ deny: 'changed' })`,
    { reason: 'changed' },
  ],
  [
    'sets a global name',
    `globalThis.denied = []\nexport default () => ({ deny: 'global' })`,
    { reason: 'global' },
  ],
  [
    'leaves a timer behind',
    `export default () => { setInterval(() => {}, 1000); return { deny: 'timer' } }`,
    { reason: 'timer' },
  ],
]

const CHECKS = `export default () => ({ deny: JSON.stringify([[1].includes(1), typeof globalThis.denied]) })`

describe.concurrent('whatever a module does, the others of its file answer: one that', () => {
  it.each(FAULTS)('%s', async (name, text, expected) => {
    const at = (file: string) => `${name.replaceAll(' ', '-')}/${file}`
    const hooks = [
      hook(at('before.mjs'), CHECKS),
      hook(at('fault.mjs'), text),
      hook(at('after.mjs'), CHECKS),
      hook(
        at('slow.mjs'),
        `export default async () => { await new Promise((r) => setTimeout(r, 200)); return { deny: 'slow' } }`,
      ),
    ]
    const call = await group(hooks)
    const isLate = 'failure' in expected && expected.failure === 'timeout'
    // Twice: the second time it is known.
    for (let round = 0; round < 2; round += 1) {
      const [before, fault, after, slow] = await call([TIME_MS, isLate ? 2_000 : TIME_MS])
      expect(fault).toMatchObject(expected)
      expect([before, after, slow].map(reason)).toEqual(['[true,"undefined"]', '[true,"undefined"]', 'slow'])
    }
  })
})

it('after a fault, the harmless modules share a process again', async () => {
  const honest = Array.from({ length: 9 }, (_, i) => hook(`again/${i}.mjs`, HONEST))
  const call = await group([
    ...honest.slice(0, 4),
    hook('again/aborts.mjs', 'export default () => process.abort()'),
    ...honest.slice(4),
  ])
  const first = await call()
  expect(first.filter((each) => each !== null && 'failure' in each)).toEqual([
    expect.objectContaining({ failure: 'crash' }),
  ])
  await vi.waitFor(async () => {
    const pids = (await call()).map(reason).filter((each) => /^\d+$/.test(each ?? ''))
    expect([pids.length, new Set(pids).size]).toEqual([9, 1])
  }, PATIENT)
})

it('one process at most is enough, even if a module has to be set apart', async () => {
  const call = await group(
    [hook('small/a.mjs', HONEST), hook('small/b.mjs', run('process.abort()')), hook('small/c.mjs', HONEST)],
    1,
  )
  const [a, b, c] = await call()
  expect([reason(a), reason(c)]).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)])
  expect(b).toMatchObject({ failure: 'crash' })
})

it('a function that is called several times at one event answers each time, or fails each time', async () => {
  const call = await group(
    Array.from({ length: 5 }, () => hook('same/aborts.mjs', 'export default () => process.abort()')),
  )
  for (const outcome of await call()) expect(outcome).toMatchObject({ failure: 'crash' })
})
