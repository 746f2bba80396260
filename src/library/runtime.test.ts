import { chmodSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defineHook, type HookAnswer } from '../core/define-hook.ts'
import type { EventKind } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import { createFileState } from '../storage/state/file-state.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import type { HookEvent, HookEventBase } from './hook-event.ts'
import { createRuntime, type Runtime } from './runtime.ts'
import type { HookRun } from './trace.ts'

const bash = (command = 'ls', more: HookEventBase = {}): HookEvent => ({
  kind: 'PreToolUse',
  tool: { name: 'Bash', input: { command } },
  ...more,
})
/** An answer in a format of command hooks: accepted at run time, and not part of the types. */
const foreign = (answer: object) => answer as HookAnswer
const says = (answer: HookAnswer | null, on: EventKind = 'PreToolUse') => ({ on, run: () => answer })
const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-runtime-')))

describe('a runtime', () => {
  it('without hooks has no opinion, without a promise', () => {
    expect(createRuntime().evaluate(bash())).toEqual({
      effect: 'pass',
      allowed: true,
      reasons: [],
      injections: { tool_result: [], user_message: [] },
      notices: [],
      failures: [],
      findings: [],
    })
  })

  it('registers functions and evaluates without a promise (R-004-03)', () => {
    const runtime = createRuntime()
    const guard = defineHook({
      on: 'PreToolUse',
      match: 'Bash',
      run: ({ tool }) => (tool.input.command.includes('rm') ? { deny: 'no deletes' } : undefined),
    })
    const { id } = runtime.register(guard, { id: 'deletes' })
    expect(id).toBe('deletes')
    expect(runtime.evaluate(bash('rm x'))).toMatchObject({
      effect: 'deny',
      allowed: false,
      reason: 'no deletes',
      reasons: [{ hook: 'deletes', text: 'no deletes' }],
    })
    expect(runtime.evaluate(bash('ls'))).toMatchObject({ effect: 'pass', allowed: true })
    expect(runtime.evaluate({ kind: 'PreToolUse', tool: { name: 'Read', input: {} } })).toMatchObject({
      findings: [],
    })
  })

  it('says which hook denied if the hook gives no reason', () => {
    const runtime = createRuntime()
    runtime.register(says({ effect: 'deny' }), { id: 'silent' })
    expect(runtime.evaluate(bash())).toMatchObject({
      effect: 'deny',
      reason: 'Denied by silent.',
      reasons: [],
    })
  })

  it('accepts inline hooks, with the types of their event', () => {
    const runtime = createRuntime()
    runtime.register({ on: 'UserPromptSubmit', run: (event) => ({ context: event.prompt.toUpperCase() }) })
    expect(runtime.evaluate({ kind: 'UserPromptSubmit', prompt: 'hello' })).toMatchObject({
      injections: { tool_result: [], user_message: ['HELLO'] },
    })
  })

  it('runs functions, async functions and external commands side by side (R-004-04)', async () => {
    const cwd = folder()
    const script = join(cwd, 'check.sh')
    writeFileSync(
      script,
      '#!/bin/sh\ngrep -q secret && echo \'{"decision":"ask","reason":"by program"}\' || :\n',
    )
    chmodSync(script, 0o755)
    const runtime = createRuntime({ cwd })
    runtime.register(says({ ask: 'by function' }))
    runtime.register({ on: 'PreToolUse', run: async () => ({ ask: 'by promise' }) })
    runtime.register({ on: 'PreToolUse', command: './check.sh' })
    const result = await runtime.evaluate(bash('cat secret'))
    expect(result).toMatchObject({ effect: 'ask', allowed: false, failures: [] })
    expect(result.reasons.map(({ text }) => text)).toEqual(['by function', 'by promise', 'by program'])
    expect(result.reason).toBe('by function\nby promise\nby program')
  })

  it('shares nothing with another runtime', () => {
    const [first, second] = [createRuntime(), createRuntime()]
    first.register(says({ deny: 'no' }), { id: 'same' })
    second.register(says(null), { id: 'same' })
    expect([first, second].map((each) => each.evaluate(bash()))).toMatchObject([
      { effect: 'deny' },
      { effect: 'pass' },
    ])
  })
})

describe('registration', () => {
  it('keeps the order of hooks, whichever finishes first (R-004-35)', async () => {
    const runtime = createRuntime()
    for (const [index, delayMs] of [20, 0, 10].entries()) {
      runtime.register({
        on: 'PreToolUse',
        run: async () => {
          await new Promise((done) => setTimeout(done, delayMs))
          return { ask: `question ${index}`, context: `text ${index}` }
        },
      })
    }
    const result = await runtime.evaluate(bash())
    expect(result.reasons.map(({ text }) => text)).toEqual(['question 0', 'question 1', 'question 2'])
    expect(result.injections.tool_result).toEqual(['text 0', 'text 1', 'text 2'])
    expect(runtime.hooks().map(({ id }) => id)).toEqual(['hook-1', 'hook-2', 'hook-3'])
  })

  it('can be unregistered, by id or by its own function', () => {
    const runtime = createRuntime()
    const registration = runtime.register(says({ deny: 'no' }))
    expect(runtime.unregister('nobody')).toBe(false)
    expect(registration.unregister()).toBe(true)
    expect(registration.unregister()).toBe(false)
    expect(runtime.evaluate(bash())).toMatchObject({ effect: 'pass' })
    runtime.register(says({ deny: 'again' }), { id: registration.id })
    expect(registration.unregister()).toBe(false)
    expect(runtime.unregister(registration.id)).toBe(true)
    expect(runtime.hooks()).toEqual([])
  })

  it('lists what is registered', () => {
    const runtime = createRuntime()
    runtime.register(
      { on: ['PreToolUse', 'PostToolUse'], match: 'Write|Edit', command: 'true' },
      { agent: 'a*' },
    )
    runtime.register(says(null), { id: 'mine', rewrites: true, required: true })
    runtime.override({ agent: 'a1', on: 'Stop' })
    const off = { override: false, rewrites: false, required: false }
    const tools = ['PreToolUse', 'PostToolUse']
    expect(runtime.hooks()).toEqual([
      { id: 'hook-1', type: 'command', on: tools, match: 'Write|Edit', agent: 'a*', ...off },
      { id: 'mine', type: 'callable', on: ['PreToolUse'], ...off, rewrites: true, required: true },
      { id: 'override-3', type: 'override', on: ['Stop'], agent: 'a1', ...off, override: true },
    ])
  })

  it('during an evaluation takes effect at the next one', async () => {
    const runtime = createRuntime()
    const late = says({ deny: 'too late for this one' })
    const first = runtime.register({
      on: 'PreToolUse',
      run: async () => {
        first.unregister()
        runtime.register(late)
        return { ask: 'still here' }
      },
    })
    expect(await runtime.evaluate(bash())).toMatchObject({ effect: 'ask', reason: 'still here' })
    expect(runtime.evaluate(bash())).toMatchObject({ effect: 'deny' })
  })

  it('with an id that is in use is refused', () => {
    const runtime = createRuntime()
    runtime.register(says(null), { id: 'same' })
    expect(() => runtime.register(says(null), { id: 'same' })).toThrow(/\[HOOK_DUPLICATE\]/)
    expect(runtime.hooks()).toHaveLength(1)
  })
})

describe('hooks for one agent', () => {
  const team = (): Runtime => {
    const runtime = createRuntime()
    runtime.register(says({ ask: 'all' }), { id: 'all' })
    runtime.register(says({ ask: 'required' }), { id: 'required', required: true })
    return runtime
  }
  const asked = (runtime: Runtime, agent?: string, agentType?: string) => {
    const result = runtime.evaluate(bash('ls', { agent, agentType }))
    return result instanceof Promise ? [] : result.reasons.map(({ hook }) => hook)
  }

  it('run in addition to those for all agents (R-004-12, R-004-15)', () => {
    const runtime = team()
    runtime.register(says({ ask: 'own' }), { id: 'own', agent: 'agent1' })
    expect(asked(runtime, 'agent1')).toEqual(['all', 'required', 'own'])
    expect(asked(runtime, 'agent2')).toEqual(['all', 'required'])
    expect(asked(runtime)).toEqual(['all', 'required'])
  })

  it('override those for all agents, except required ones, at that event only (R-004-12, R-004-16)', () => {
    const runtime = team()
    const own = runtime.register(says({ ask: 'own' }), { id: 'own', agent: 'agent1', override: true })
    runtime.register(says({ deny: 'all' }, 'PostToolUse'))
    expect(asked(runtime, 'agent1')).toEqual(['required', 'own'])
    expect(asked(runtime, 'agent2')).toEqual(['all', 'required'])
    const after = { kind: 'PostToolUse', agent: 'agent1', tool: { name: 'Bash', input: {} } } as const
    expect(runtime.evaluate(after)).toMatchObject({ effect: 'deny' })
    own.unregister()
    expect(asked(runtime, 'agent1')).toEqual(['all', 'required'])
  })

  it('may be an empty list: an override without hooks (R-004-16)', () => {
    const runtime = team()
    const nothing = runtime.override({ agent: 'agent1', on: 'PreToolUse' })
    expect(asked(runtime, 'agent1')).toEqual(['required'])
    nothing.unregister()
    expect(asked(runtime, 'agent1')).toEqual(['all', 'required'])
  })

  it.each<[string, string | undefined, string | undefined, boolean]>([
    ['agent1', 'agent1', undefined, true],
    ['agent1', 'agent10', undefined, false],
    ['agent*', 'agent10', undefined, true],
    ['agent[12]', 'agent3', undefined, false],
    ['writer|reader', 'reader', undefined, true],
    ['reviewer', 'agent7', 'reviewer', true],
    ['agent7', 'agent7', 'reviewer', true],
    ['*', undefined, undefined, true],
    ['agent1', undefined, undefined, false],
  ])('for %s apply to agent %s of type %s: %s', (pattern, agent, agentType, meets) => {
    const runtime = team()
    runtime.register(says({ ask: 'own' }), { id: 'own', agent: pattern, override: true })
    expect(asked(runtime, agent, agentType)).toEqual(meets ? ['required', 'own'] : ['all', 'required'])
  })

  it('do not replace packs', async () => {
    const runtime = createRuntime({ packs: ['safety'] })
    runtime.override({ agent: '*', on: 'PreToolUse' })
    expect(await runtime.evaluate(bash('rm -rf /', { agent: 'agent1' }))).toMatchObject({ effect: 'deny' })
  })
})

describe('the changes that hooks make', () => {
  it('are chained: each rewriter sees the input of the one before, without a promise', () => {
    const runtime = createRuntime()
    const seen: unknown[] = []
    for (const word of ['one', 'two']) {
      const run = ({ tool }: { tool: { input: JsonObject } }) => {
        seen.push(tool.input.command)
        return { rewrite: { command: `${String(tool.input.command)} ${word}` } }
      }
      runtime.register({ on: 'PreToolUse', run }, { rewrites: true })
    }
    runtime.register({ on: 'PreToolUse', run: ({ tool }) => (seen.push(tool.input.command), null) })
    expect(runtime.evaluate(bash('echo'))).toMatchObject({
      effect: 'pass',
      input: { command: 'echo one two' },
    })
    expect(seen).toEqual(['echo', 'echo one', 'echo one two'])
  })

  it('keep all injections, by strategy', () => {
    const runtime = createRuntime()
    runtime.register(says({ context: 'a' }))
    runtime.register(says(foreign({ inject: { content: 'b', strategy: 'user_message' } })))
    runtime.register(says(foreign({ inject: { content: 'c', strategy: 'tool_result' } })))
    runtime.register(says({ effect: 'pass', context: [{ text: 'd', to: 'self', strategy: 'user_message' }] }))
    expect(runtime.evaluate(bash())).toMatchObject({
      injections: { tool_result: ['a', 'c'], user_message: ['b', 'd'] },
    })
  })

  it.each<[string, HookAnswer, object]>([
    ['a halt', foreign({ continue: false, stopReason: 'enough' }), { effect: 'pass', halt: 'enough' }],
    ['a warning', { warn: 'careful' }, { effect: 'pass', notices: ['careful'] }],
    ['another output', { effect: 'pass', output: { masked: true } }, { output: { masked: true } }],
    ['ignore an allow that was not granted', { allow: true }, { effect: 'pass', allowed: true }],
  ])('%s', (_name, answer, result) => {
    const runtime = createRuntime()
    runtime.register(says(answer, 'PostToolUse'))
    const event: HookEvent = { kind: 'PostToolUse', tool: { name: 'Bash', input: {} }, output: 'x' }
    expect(runtime.evaluate(event)).toMatchObject(result)
  })

  it('include an allow that was granted', () => {
    const runtime = createRuntime()
    runtime.register(says({ allow: true }), { grants: true })
    expect(runtime.evaluate(bash())).toMatchObject({ effect: 'allow', allowed: true })
  })
})

describe('the state of hooks', () => {
  const counting = defineHook({
    on: 'PreToolUse',
    run: (_event, { memory }) => ({
      effect: Number(memory?.calls ?? 0) >= 2 ? 'deny' : 'pass',
      reason: 'twice is enough',
      remember: [{ op: 'count', key: 'calls', by: 1 }],
    }),
  })
  const effects = (runtimes: readonly Runtime[], more: HookEventBase = {}) =>
    runtimes.map((runtime, index) => {
      const result = runtime.evaluate({
        kind: 'PreToolUse',
        tool: { name: 'Bash', input: {}, useId: `use-${index}` },
        ...more,
      })
      return result instanceof Promise ? 'a promise' : result.effect
    })

  it('is kept for each session and agent, without a promise', () => {
    const runtime = createRuntime()
    runtime.register(counting)
    const three = [runtime, runtime, runtime]
    expect(effects(three)).toEqual(['pass', 'pass', 'deny'])
    expect(effects(three, { agent: 'other' })).toEqual(['pass', 'pass', 'deny'])
    expect(effects(three, { session: 'other' })).toEqual(['pass', 'pass', 'deny'])
  })

  it.each([
    ['in memory', createMemoryState],
    ['in files', () => createFileState(folder())],
  ])('is shared by two runtimes on one store %s', (_name, open) => {
    const state = open()
    const two = [createRuntime({ state }), createRuntime({ state })]
    for (const runtime of two) runtime.register(counting)
    expect(effects([...two, ...two], { session: 'shared' })).toEqual(['pass', 'pass', 'deny', 'deny'])
  })

  it('counts correctly if two runtimes evaluate at once', async () => {
    const state = createMemoryState()
    const slow = defineHook({
      on: 'PreToolUse',
      run: async (event, context) => (await Promise.resolve(), counting.run(event, context)),
    })
    const two = [createRuntime({ state }), createRuntime({ state })]
    for (const runtime of two) runtime.register(slow)
    const many = Array.from({ length: 20 }, () => two).flat()
    const all = many.map((runtime) => runtime.evaluate(bash('ls', { session: 'shared' })))
    const results = await Promise.all(all)
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(2)
    expect(results.flatMap(({ failures }) => failures)).toEqual([])
  })

  it('allows a stop that was blocked too often', () => {
    const runtime = createRuntime()
    runtime.register(says({ deny: 'tests are missing' }, 'Stop'))
    const stops = [false, true, true, true].map((stopHookActive) =>
      runtime.evaluate({ kind: 'Stop', stopHookActive }),
    )
    expect(stops.map((each) => (each instanceof Promise ? '' : each.effect))).toEqual([
      'deny',
      'deny',
      'deny',
      'pass',
    ])
  })

  it('delivers a text for another agent at its next event', () => {
    const runtime = createRuntime()
    const letter = { text: 'done', to: 'main', strategy: 'user_message' } as const
    runtime.register(says({ effect: 'pass', context: [letter] }), { agent: 'helper' })
    expect(runtime.evaluate(bash('ls', { agent: 'helper' }))).toMatchObject({
      injections: { user_message: [] },
    })
    expect(runtime.evaluate(bash())).toMatchObject({ injections: { user_message: ['done'] } })
    expect(runtime.evaluate(bash())).toMatchObject({ injections: { user_message: [] } })
  })
})

describe('packs and configuration files', () => {
  it('are loaded once; then evaluate returns without waiting (R-004-30)', async () => {
    const cwd = folder()
    writeFileSync(
      join(cwd, 'holdpoint.yaml'),
      'version: 1\nrules:\n  - { id: no-push, on: PreToolUse, match: Bash, when: { shell: { command: git, subcommand: push } }, deny: not now }\n',
    )
    const runtime = createRuntime({
      cwd,
      packs: { safety: true, secrets: false },
      config: ['holdpoint.yaml'],
    })
    const first = runtime.evaluate(bash('git push'))
    expect(first).toBeInstanceOf(Promise)
    expect(await first).toMatchObject({ effect: 'deny', reason: expect.stringContaining('not now') })
    await runtime.ready()
    expect(runtime.evaluate(bash('rm -rf /'))).toMatchObject({
      effect: 'deny',
      reasons: [{ hook: 'safety/files/delete-root' }],
      notices: [],
    })
    expect(runtime.evaluate(bash('git push'))).not.toBeInstanceOf(Promise)
  })

  it.each<[string, string | undefined, string]>([
    ['an unknown pack', undefined, 'PACK_UNKNOWN'],
    ['a missing file', '', 'CONFIG_UNREADABLE'],
    ['a broken file', 'version: 1\nrules: [', 'CONFIG_NOT_YAML'],
    ['one broken entry', 'version: 1\nrules:\n  - { id: x, on: Nothing, deny: no }\n', 'CONFIG_VALUE'],
    ['a file that imports others', 'version: 1\nimport:\n  - source: claude-settings\n', 'CONFIG'],
  ])('%s denies every call', async (_name, text, code) => {
    const cwd = folder()
    if (text) writeFileSync(join(cwd, 'holdpoint.yaml'), text)
    const runtime = createRuntime({
      cwd,
      ...(text === undefined ? { packs: ['saftey'] } : { config: ['holdpoint.yaml'] }),
    })
    const refused = expect.stringContaining(`[${code}`)
    expect(await runtime.evaluate(bash())).toMatchObject({ effect: 'deny', allowed: false, reason: refused })
    expect(await runtime.evaluate({ kind: 'Stop' })).toMatchObject({ effect: 'pass', notices: [refused] })
    await expect(runtime.ready()).rejects.toThrow(code)
  })
})

describe('tracing', () => {
  it('the listener gets every run until it is removed; an exception in it changes nothing', async () => {
    const runtime = createRuntime()
    const runs: HookRun[] = []
    runtime.register(says(null), { id: 'silent' })
    runtime.register({ on: 'PreToolUse', run: async () => ({ deny: 'no' }) }, { id: 'denies' })
    runtime.register({ on: 'PreToolUse', run: () => Promise.reject(new Error('oh')) }, { id: 'breaks' })
    runtime.trace(() => {
      throw new Error('not mine')
    })
    const end = runtime.trace((run) => runs.push(run))
    await runtime.evaluate(bash('ls', { session: 's', agent: 'a' }))
    end()
    await runtime.evaluate(bash())
    expect(runs.map(({ hook, outcome, message }) => [hook, outcome, message])).toEqual([
      ['silent', 'pass', undefined],
      ['denies', 'deny', 'no'],
      ['breaks', 'crash', 'oh'],
    ])
    expect(runs[0]).toMatchObject({
      kind: 'PreToolUse',
      session: 's',
      agent: 'a',
      durationMs: expect.any(Number),
    })
  })
})
