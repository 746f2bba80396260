import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { Answer, Failure } from '../../core/decision.ts'
import type { Event } from '../../core/event.ts'
import type { HandlerCall } from '../../core/handler.ts'
import type { Hook } from '../../core/hook.ts'
import { actorOf, bash, eventOf, frozenFacts } from '../../library/testing/events.ts'
import { hookOf } from '../../library/testing/hooks.ts'
import { areGone, pidsIn } from '../../library/testing/processes.ts'
import { createPool } from '../../system/modules/pool.ts'
import { handlerContract } from '../handler.contract.ts'
import { create, createModuleHandler } from './handler.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-module-'))
const pool = createPool(4, 60_000)
const tools = { searchPath: (path: string | undefined) => path }
const handler = createModuleHandler(pool, tools)
afterAll(() => {
  pool.dispose()
  rmSync(folder, { recursive: true, force: true })
})

function file(name: string, text: string): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return `./${name}`
}

const hook = (module: string, more: Partial<Hook> & { readonly export?: string } = {}): Hook => {
  const { export: name, ...rest } = more
  const run = { type: 'module', module, root: folder, ...(name === undefined ? {} : { export: name }) }
  return hookOf({ run, ...rest })
}

interface Given {
  readonly event?: Event
  readonly timeoutMs?: number
  readonly facts?: Partial<HandlerCall['facts']>
  readonly memory?: HandlerCall['memory']
}

/** As in the engine: one deadline, and a signal when it passes. */
async function run(of: Hook, given: Given = {}, by = handler): Promise<Answer | Failure | null> {
  const runner = await by.prepare(of)
  if (typeof runner !== 'function') return runner
  const { event = bash('ls', { cwd: folder }), timeoutMs = 20_000 } = given
  const facts = frozenFacts({ cwd: folder, project: folder, env: { PATH: process.env.PATH }, ...given.facts })
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  const memory = 'memory' in given ? given.memory : {}
  const outcome = await runner({
    event,
    actor: actorOf(event),
    facts,
    memory,
    timeoutMs,
    signal: controller.signal,
  })
  clearTimeout(timer)
  return outcome
}

const pids = join(folder, 'pids')
/** Ignores SIGTERM, has a child that does so too, and never returns. */
const HANGS = `
  import { spawn } from 'node:child_process'
  import { renameSync, writeFileSync } from 'node:fs'
  process.on('SIGTERM', () => {})
  export default () => {
    const child = spawn('/bin/sh', ['-c', "trap '' TERM; sleep 300"])
    writeFileSync(${JSON.stringify(`${pids}.part`)}, process.pid + ' ' + child.pid)
    renameSync(${JSON.stringify(`${pids}.part`)}, ${JSON.stringify(pids)})
    for (;;) {}
  }`

handlerContract({
  handler: create({ guard: () => undefined, callable: () => undefined, ...tools }),
  denies: hook(file('deny.mjs', `export default () => ({ deny: 'not this' })`)),
  passes: hook(file('pass.mjs', 'export default () => {}')),
  breaks: hook(file('break.mjs', `export default () => { throw new Error('oh') }`)),
  invalidOutput: hook(file('invalid.mjs', `export default () => ({ decision: 'whatever' })`)),
  missing: hook('./nowhere.ts'),
  written: ['./policy.ts', { module: '@acme/policies', export: 'check' }],
})

describe('a module that hangs', () => {
  it('is killed with everything it started when its time is up', async () => {
    const runner = await handler.prepare(hook(file('hang.mjs', HANGS)))
    if (typeof runner !== 'function') throw new Error('not prepared')
    const event = bash('ls', { cwd: folder })
    const facts = frozenFacts({ cwd: folder, project: folder, env: { PATH: process.env.PATH } })
    const controller = new AbortController()
    const { signal } = controller
    const running = runner({ event, actor: actorOf(event), facts, memory: {}, timeoutMs: 20_000, signal })
    while (!existsSync(pids)) await sleep(20)
    controller.abort()
    expect(await running).toMatchObject({ failure: 'timeout' })
    expect(await areGone(pidsIn(pids))).toBe(true)
  })
})

// Functions and programs can be hooks (R-004-04).
describe('a module', () => {
  it.concurrent.each<[string, () => Hook]>([
    [
      'TypeScript that imports defineHook, with nothing installed',
      () =>
        hook(
          file(
            'typed.ts',
            `import { defineHook, type HookContext } from 'holdpoint'
             enum Word { Ran = 'ran' }
             export default defineHook({ on: 'PreToolUse', match: 'Bash', run(event, _context: HookContext) {
               return event.tool.input.command === 'ls' ? { deny: Word.Ran } : undefined
             } })`,
          ),
        ),
    ],
    [
      'JavaScript that imports defineHook',
      () =>
        hook(
          file(
            'plain.mjs',
            `import { defineHook } from 'holdpoint'\nexport default defineHook({ run: () => ({ deny: 'ran' }) })`,
          ),
        ),
    ],
    ['an async function', () => hook(file('async.mjs', `export default async () => ({ deny: 'ran' })`))],
    ['CommonJS', () => hook(file('common.cjs', `module.exports = () => ({ deny: 'ran' })`))],
    [
      'compiled CommonJS',
      () =>
        hook(
          file('built.cjs', `exports.__esModule = true; exports.default = { run: () => ({ deny: 'ran' }) }`),
        ),
    ],
    [
      'a named export',
      () => hook(file('named.mjs', `export const one = () => ({ deny: 'ran' })`), { export: 'one' }),
    ],
    [
      'a named export of CommonJS',
      () => hook(file('named.cjs', `module.exports = { one: () => ({ deny: 'ran' }) }`), { export: 'one' }),
    ],
    [
      'a file with neighbours',
      () => {
        file('lib/word.ts', `export const word: string = 'ran'`)
        return hook(
          file('near.ts', `import { word } from './lib/word'\nexport default () => ({ deny: word })`),
        )
      },
    ],
    [
      'top-level await',
      () => hook(file('await.ts', `const word: string = await 'ran'\nexport default () => ({ deny: word })`)),
    ],
    [
      'an export of a package',
      () => {
        file(
          'node_modules/@acme/policies/package.json',
          JSON.stringify({ type: 'module', exports: { '.': { types: './x.d.ts', import: './main.js' } } }),
        )
        file('node_modules/@acme/policies/main.js', `export const noProd = () => ({ deny: 'ran' })`)
        return hook('@acme/policies', { export: 'noProd' })
      },
    ],
  ])('%s', async (_name, of) => {
    expect(await run(of())).toMatchObject({ effect: 'deny', reason: 'ran' })
  })

  it.each<[string, Event, boolean]>([
    ['the event it declares', bash('x'), true],
    ['another event', eventOf('PostToolUse', { tool: { name: 'Bash', input: {} }, output: '' }), false],
    ['another tool', eventOf('PreToolUse', { tool: { name: 'Read', input: {} } }), false],
    ['a tool by its other name', eventOf('PreToolUse', { tool: { name: 'Agent', input: {} } }), true],
  ])('answers only at events that it declares: %s', async (_name, event, speaks) => {
    const text = `export default { on: ['PreToolUse', 'Stop'], match: 'Bash|Task', run: () => ({ deny: 'x' }) }`
    const answer = await run(hook(file('scoped.mjs', text)), { event })
    if (speaks) expect(answer).toMatchObject({ effect: 'deny' })
    else expect(answer).toBeNull()
  })

  it("gets the caller's environment as data and has no other environment", async () => {
    const text = `export default (event, context) => ({ deny: JSON.stringify([
      event.tool.input.command, context.env.SECRET, process.env.SECRET, process.env.NODE_OPTIONS, process.env.HOME,
      context.project, context.cwd, process.cwd(), context.home, context.memory, context.actor.role, context.timeoutMs
    ]) })`
    const env = { PATH: process.env.PATH, SECRET: 'told', NODE_OPTIONS: '--require /nowhere.cjs' }
    const answer = await run(hook(file('context.mjs', text)), { facts: { env }, memory: { seen: 1 } })
    const reason = answer !== null && 'reason' in answer ? (answer.reason ?? '') : JSON.stringify(answer)
    const own = [folder, folder, folder, '/home/dev', { seen: 1 }, 'main', 20_000]
    expect(JSON.parse(reason)).toEqual(['ls', 'told', null, null, '/home/dev', ...own])
  })

  it('that is not trusted does not run', async () => {
    const marker = join(folder, 'ran')
    const text = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')\nexport default () => {}`
    const answer = await run(hook(file('mark.mjs', text), { trusted: false }))
    expect(answer).toMatchObject({
      failure: 'untrusted',
      message: expect.stringContaining('holdpoint trust'),
    })
    expect(existsSync(marker)).toBe(false)
  })
})

/** A row of the table: what it does | the body of its function | the result. */
const inRun = (body: string) => `import * as fs from 'node:fs'
  import * as processes from 'node:child_process'
  export default async (event) => { ${body} }`

describe('a module that misbehaves fails, with the right kind', () => {
  it.concurrent.each<[string, string, object]>([
    [
      'throws',
      `throw new Error('oh dear')`,
      { failure: 'crash', message: expect.stringContaining('oh dear') },
    ],
    [
      'throws something unreadable',
      `throw { get message() { throw 1 }, toString() { throw 2 } }`,
      { failure: 'crash' },
    ],
    [
      'exits with code 0',
      'process.exit(0)',
      { failure: 'crash', message: expect.stringContaining('code 0') },
    ],
    [
      'aborts, with last words',
      `console.error('famous last words'); process.abort()`,
      { failure: 'crash', message: expect.stringContaining('famous last words') },
    ],
    [
      'kills Holdpoint',
      'process.kill(process.ppid)',
      { failure: 'crash', message: expect.stringContaining('signals') },
    ],
    [
      'leaves a rejection behind',
      `Promise.reject(new Error('stray')); await new Promise(() => {})`,
      { failure: 'crash' },
    ],
    ['closes the pipe', 'fs.closeSync(4); await new Promise(() => {})', { failure: 'crash' }],
    [
      'writes an answer of its own to the pipe',
      `fs.writeSync(4, '{"id":"x","kind":"answer","answer":null}\\n'); return { deny: 'x' }`,
      { failure: 'crash' },
    ],
    [
      'writes invalid data to the pipe',
      `fs.writeSync(4, 'null\\n'); await new Promise(() => {})`,
      { failure: 'crash' },
    ],
    [
      'floods the pipe',
      `for (;;) fs.writeSync(4, 'x'.repeat(65536))`,
      { failure: expect.stringMatching(/^(?:invalidOutput|crash)$/) },
    ],
    ['answers a text', `return 'deny'`, { failure: 'invalidOutput' }],
    ['answers a list', 'return []', { failure: 'invalidOutput' }],
    ['answers an unknown word', `return { refuse: 'x' }`, { failure: 'invalidOutput' }],
    [
      'answers 10 MB',
      `return { deny: 'x'.repeat(10_000_000) }`,
      { failure: 'invalidOutput', message: expect.stringContaining('more than') },
    ],
    [
      'answers a million objects',
      `return { deny: 'x', all: Array(1e6).fill({}) }`,
      { failure: 'invalidOutput' },
    ],
    [
      'answers a list of the largest length',
      `return { deny: 'x', all: Array(2 ** 32 - 1) }`,
      { failure: 'invalidOutput' },
    ],
    ['answers a cycle', `const a = { deny: 'x' }; a.a = a; return a`, { failure: 'invalidOutput' }],
    ['answers a proxy', `return new Proxy({ deny: 'x' }, {})`, { failure: 'invalidOutput' }],
    ['answers a BigInt', `return { deny: 'x', n: 1n }`, { failure: 'invalidOutput' }],
    ['answers not-a-number', `return { deny: 'x', n: NaN }`, { failure: 'invalidOutput' }],
    [
      'answers with a getter that throws',
      `return { get deny() { throw new Error('no') } }`,
      { failure: 'invalidOutput' },
    ],
    ['answers an Error', `return new Error('x')`, { failure: 'invalidOutput' }],
    ['answers a function', `return () => ({ deny: 'x' })`, { failure: 'invalidOutput' }],
    [
      'answers a deep nest',
      `let a = {}; for (let i = 0; i < 1e5; i++) a = { a }; return { deny: 'x', a }`,
      { failure: 'invalidOutput' },
    ],
    [
      'fills Buffers',
      `const all = []; for (;;) { all.push(Buffer.alloc(1e7, 1)); await new Promise((r) => setTimeout(r, 1)) }`,
      { failure: 'crash', message: expect.stringContaining('memory') },
    ],
    [
      'fills the heap',
      'const all = []; for (;;) all.push(Array(1e5).fill(all.length))',
      { failure: 'crash', message: expect.stringContaining('memory') },
    ],
  ])('that %s', async (name, body, expected) => {
    expect(await run(hook(file(`bad/${name.replaceAll(' ', '-')}.mjs`, inRun(body))))).toMatchObject(expected)
  })

  const LATE: Readonly<Record<string, string>> = {
    spins: 'for (;;) {}',
    'waits for nobody': 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    'runs a program to its end': `processes.spawnSync('sleep', ['300'])`,
    'never resolves': 'await new Promise(() => {})',
    'spins in a microtask': 'for (;;) await null',
    'floods its output': `for (;;) fs.writeSync(1, 'x'.repeat(65536))`,
    'stops itself': `processes.spawnSync('sh', ['-c', 'kill -STOP $PPID']); await new Promise(() => {})`,
  }

  it(`that is late has timed out: ${Object.keys(LATE).join(', ')}`, async () => {
    const wide = createPool(8, 60_000)
    const by = createModuleHandler(wide, tools)
    const outcomes = await Promise.all(
      Object.entries(LATE).map(async ([name, body]) => {
        const of = hook(file(`late/${name.replaceAll(' ', '-')}.mjs`, inRun(body)))
        return [name, await run(of, { timeoutMs: 1_000 }, by)] as const
      }),
    )
    const late = { failure: 'timeout', message: expect.stringContaining('did not answer') }
    for (const outcome of outcomes) expect(outcome).toEqual([outcome[0], late])
    wide.dispose()
  })

  it.concurrent.each<[string, string, string]>([
    ['throws at import', `throw new Error('at import')`, 'at import'],
    ['exits at import', 'process.exit(0)', 'while it was loaded'],
    ['exports nothing', 'const x = 1', 'no default export'],
    ['exports a text', `export default 'deny'`, 'no default export'],
    ['is broken', 'export default (', ''],
    ['imports a missing file', `import './not-there.mjs'\nexport default () => {}`, 'not-there'],
    ['declares an unknown event', `export default { on: 'PreToolUs', run() {} }`, 'PreToolUs'],
    ['declares a regex', `export default { match: 'B.*', run() {} }`, 'exact names'],
  ])('that %s cannot be loaded', async (name, text, says) => {
    const of = hook(file(`unloadable/${name.replaceAll(' ', '-')}.mjs`, text))
    expect(await run(of)).toMatchObject({ failure: 'import', message: expect.stringContaining(says) })
  })

  it('that has no such export cannot be loaded', async () => {
    for (const name of ['two', '__proto__', 'constructor', 'toString']) {
      expect(await run(hook(file('one.mjs', 'export const one = () => {}'), { export: name }))).toMatchObject(
        {
          failure: 'import',
          message: expect.stringContaining(name),
        },
      )
    }
  })

  it('that prints a lot, also on standard error, has still answered', async () => {
    const text = inRun(
      `for (let i = 0; i < 20; i++) { console.error('x'.repeat(1e5)); console.log('y'.repeat(1e5)) }; return { deny: 'ok' }`,
    )
    expect(await run(hook(file('chatty.mjs', text)))).toMatchObject({ effect: 'deny', reason: 'ok' })
  })

  it('that changed built-in objects has still answered, and affects only itself', async () => {
    const text = `JSON.stringify = () => 'null'; JSON.parse = () => null
      Array.prototype.includes = Array.prototype.find = Array.prototype.some = () => false
      Object.prototype.toJSON = Array.prototype.toJSON = () => null; Object.keys = () => []
      Array.prototype.push = () => 0; Set.prototype.has = () => true; Array.isArray = () => false
      export default { on: ['PreToolUse'], match: 'Bash', run: () => ({ deny: 'still here', list: undefined }) }`
    const guard = `export default () => ({ deny: JSON.stringify([[1].includes(1)]) })`
    const hostile = hook(file('patches.mjs', text))
    const honest = hook(file('honest.mjs', guard))
    for (let round = 0; round < 2; round += 1) {
      expect(await run(hostile)).toMatchObject({ effect: 'deny', reason: 'still here' })
      expect(await run(honest)).toMatchObject({ effect: 'deny', reason: '[true]' })
    }
  })
})

describe('processes of modules', () => {
  /** Answers with its process id and the number of its calls. */
  const counts = (name: string, word = '') =>
    hook(file(name, `let n = 0\nexport default () => ({ deny: process.pid + ' ' + ++n + '${word}' })`))
  const reasonOf = (answer: Answer | Failure | null) =>
    answer !== null && 'reason' in answer ? (answer.reason ?? '').split(' ') : [JSON.stringify(answer)]

  it('are reused while nothing has changed', async () => {
    const of = counts('again.mjs')
    const [first] = reasonOf(await run(of))
    expect(reasonOf(await run(of))).toEqual([first, '2'])
  })

  it('end when a file of the module changes, its own or one it imports', async () => {
    file('dep.ts', `export const word = 'old'`)
    const of = hook(
      file('changing.ts', `import { word } from './dep.ts'\nexport default () => ({ deny: word })`),
    )
    const runner = await handler.prepare(of)
    if (typeof runner !== 'function') throw new Error('not prepared')
    const event = bash('ls', { cwd: folder })
    const facts = frozenFacts({ cwd: folder, project: folder })
    const { signal } = new AbortController()
    const ask = () => runner({ event, actor: actorOf(event), facts, memory: {}, timeoutMs: 20_000, signal })
    expect(await ask()).toMatchObject({ reason: 'old' })
    file('dep.ts', `export const word = 'new'`)
    expect(await ask()).toMatchObject({ reason: 'new' })
    file('changing.ts', `export default () => ({ deny: 'newest' })`)
    expect(await ask()).toMatchObject({ reason: 'newest' })
    rmSync(join(folder, 'changing.ts'))
    expect(await ask()).toMatchObject({ failure: 'import' })
  })

  it('are shared by the modules that one file names, not by files, ranks, projects or environments', async () => {
    const other = mkdtempSync(join(tmpdir(), 'holdpoint-other-'))
    const of = counts('shared.mjs')
    const [one] = reasonOf(await run(of))
    expect(reasonOf(await run(counts('shared-too.mjs')))[0]).toBe(one)
    const [two] = reasonOf(await run({ ...of, origin: { file: 'another' } }))
    const [five] = reasonOf(await run({ ...of, rank: 'project' }))
    const [three] = reasonOf(await run(of, { facts: { project: other } }))
    const [four] = reasonOf(await run(of, { facts: { env: { PATH: '/bin' } } }))
    expect(new Set([one, two, three, four, five]).size).toBe(5)
    rmSync(other, { recursive: true })
  })

  it('are used once if it is unknown what the module loads', async () => {
    const text = `const name = './dep.ts'\nawait import(name).catch(() => {})\nlet n = 0\nexport default () => ({ deny: process.pid + ' ' + ++n })`
    const of = hook(file('computed.mjs', text))
    expect(reasonOf(await run(of))[1]).toBe('1')
    expect(reasonOf(await run(of))[1]).toBe('1')
  })

  it('are used once if the module leaves something running', async () => {
    const left = `setInterval(() => {}, 1000)`
    const text = `let n = 0\nexport default () => { ${left}; return { deny: process.pid + ' ' + ++n } }`
    const of = hook(file('restless.mjs', text))
    expect(reasonOf(await run(of))[1]).toBe('1')
    expect(reasonOf(await run(of))[1]).toBe('1')
  })

  it('that cannot be started are a failure', async () => {
    const env = { LANG: 'a\0b' }
    expect(await run(counts('unstartable.mjs'), { facts: { env } })).toMatchObject({ failure: 'crash' })
  })

  it('are limited: a call waits for a free process, or times out', async () => {
    const small = createPool(1, 60_000)
    const by = createModuleHandler(small, tools)
    const slow = hook(
      file('slow.mjs', `export default () => new Promise((r) => setTimeout(() => r({ deny: 'slow' }), 500))`),
    )
    const quick = hook(file('quick.mjs', `export default () => ({ deny: 'quick' })`))
    const elsewhere = { ...quick, origin: { file: 'another' } }
    const [first, waited, late] = await Promise.all([
      run(slow, {}, by),
      run(elsewhere, {}, by),
      run(elsewhere, { timeoutMs: 50 }, by),
    ])
    expect(first).toMatchObject({ reason: 'slow' })
    expect(waited).toMatchObject({ reason: 'quick' })
    expect(late).toMatchObject({ failure: 'timeout', message: expect.stringContaining('free') })
    small.dispose()
  })

  it('end when they are idle', async () => {
    const brief = createPool(1, 10)
    const [pid] = reasonOf(await run(counts('idle.mjs'), {}, createModuleHandler(brief, tools)))
    expect(await areGone([Number(pid)])).toBe(true)
  })
})

describe('a function of a MassGen file (R-004-17, R-004-20)', () => {
  const massgen = (module: string, more: Partial<Hook> = {}): Hook =>
    hookOf({ run: { type: 'module', module, export: 'check', root: folder, protocol: 'massgen' }, ...more })

  it('gets only its event', async () => {
    const says = `export const check = (event, ...more) => ({ decision: 'deny', reason: [Object.keys(event), more].join() })`
    expect(await run(massgen(file('massgen.mjs', says)))).toMatchObject({
      reason: 'hook_type,session_id,orchestrator_id,agent_id,timestamp,tool_name,tool_input,tool_output,,',
    })
  })

  it.each([
    ['yes', 'true', null],
    ['nothing', 'undefined', null],
    ['no', 'false', { effect: 'deny' }],
    ['a number', '1', { failure: 'invalidOutput' }],
  ])('may answer %s (R-004-06)', async (_name, answer, expected) => {
    const outcome = await run(massgen(file(`answers-${answer}.mjs`, `export const check = () => ${answer}`)))
    if (expected === null) expect(outcome).toBeNull()
    else expect(outcome).toMatchObject(expected)
  })

  it('that does not exist cannot be imported, trusted or not (R-004-28)', async () => {
    for (const trusted of [true, false]) {
      expect(await run(massgen('./nowhere.mjs', { trusted }))).toMatchObject({ failure: 'import' })
    }
    const there = massgen(file('there.mjs', 'export const check = () => {}'), { trusted: false })
    expect(await run(there)).toMatchObject({ failure: 'untrusted' })
  })
})
