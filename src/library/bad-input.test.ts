import { describe, expect, it } from 'vitest'
import type { HoldpointError } from '../core/errors.ts'
import type { StateStore } from '../core/state/state.ts'
import type { HookEvent } from './hook-event.ts'
import { createRuntime, type Runtime } from './runtime.ts'

/** Programs are often JavaScript, so everything here is passed without the protection of types. */
interface Untyped {
  register(hook: unknown, options?: unknown): unknown
  override(options: unknown): unknown
  evaluate: Runtime['evaluate']
}

const untyped = (): Untyped => createRuntime() as unknown as Untyped
const call = (input: unknown = {}) => ({ kind: 'PreToolUse', tool: { name: 'Bash', input } }) as HookEvent
const never = () => new Promise<undefined>(() => {})
const fine = () => undefined

function codeOf(run: () => unknown): string {
  try {
    run()
    return 'nothing was thrown'
  } catch (error) {
    return (error as HoldpointError).problem.code
  }
}

describe('a hook that is not an object', () => {
  it.each<[string, unknown, unknown?]>([
    ['nothing', undefined],
    ['a bare function', fine],
    ['no function', { on: 'PreToolUse', run: 42 }],
    ['a promise instead of a function', { on: 'PreToolUse', run: Promise.resolve() }],
    ['neither function nor command', { on: 'PreToolUse' }],
    ['an empty command', { on: 'PreToolUse', command: ' ' }],
    ['arguments that are not strings', { on: 'PreToolUse', command: 'true', args: [1] }],
    ['an unknown protocol', { on: 'PreToolUse', command: 'true', protocol: 'latin' }],
    ['a handler without a type', { on: 'PreToolUse', handler: { run: 'x' } }],
    ['a handler that is not JSON', { on: 'PreToolUse', handler: { type: 'http', on: fine } }],
    ['both a function and a command', { on: 'PreToolUse', run: fine, command: 'true' }],
    ['an option inside the hook', { on: 'PreToolUse', run: fine, onFailure: 'deny' }],
    ['another word for `match`', { on: 'PreToolUse', matcher: 'Bash', run: fine }],
    ['an agent without a name', { run: fine }, { agent: '' }],
    ['an unknown event', { on: 'BeforeTool', run: fine }],
    ['an inherited property as an event', { on: 'constructor', run: fine }],
    ['no event at all', { on: [], run: fine }],
    ['a matcher that is not a string', { on: 'PreToolUse', match: /Bash/, run: fine }],
    ['an empty matcher', { on: 'PreToolUse', match: '|', run: fine }],
    ['options that are not an object', { run: fine }, 'id'],
    ['an unknown option', { run: fine }, { onFail: 'deny' }],
    ['an empty id', { run: fine }, { id: '' }],
    ['a flag that is not a boolean', { run: fine }, { required: 'yes' }],
    ['a timeout of 0', { run: fine }, { timeoutMs: 0 }],
    ['a timeout that is not a number', { run: fine }, { timeoutMs: Number.NaN }],
    ['an empty onFailure', { run: fine }, { onFailure: 'allow' }],
    ['an unknown kind of failure', { run: fine }, { onFailure: { explosion: 'deny' } }],
    ['an unknown preset', { run: fine }, { onFailure: { preset: 'lenient' } }],
    ['a million retries', { run: fine }, { onFailure: { retry: 1e6, then: 'deny' } }],
    ['endless retries', { run: fine }, { onFailure: { retry: -1, then: 'deny' } }],
    ['an agent that is not a string', { run: fine }, { agent: 1 }],
    ['an override without an agent', { run: fine }, { override: true }],
  ])('%s is refused', (_name, hook, options = {}) => {
    const runtime = untyped()
    expect(codeOf(() => runtime.register(hook, options))).toBe('HOOK_INVALID')
    expect(runtime.evaluate(call())).toMatchObject({ effect: 'pass', findings: [] })
  })

  it.each([
    [undefined],
    [{ agent: '', on: 'Stop' }],
    [{ agent: 'a' }],
    [{ on: 'Stop' }],
    [{ agent: 'a', on: 'Never' }],
  ])('an override of %j is refused', (options) => {
    expect(codeOf(() => untyped().override(options))).toBe('HOOK_INVALID')
  })

  it.each<[object]>([
    [{ pack: ['safety'] }],
    [{ packs: 'safety' }],
    [{ packs: { safety: 'yes' } }],
    [{ config: 'holdpoint.yaml' }],
    [{ budgetMs: 0 }],
    [{ state: {} }],
    [{ cwd: 1 }],
    [{ env: 'PATH' }],
    [{ now: 1 }],
    [{ session: 1 }],
  ])('a runtime with %j is refused', (options) => {
    expect(codeOf(() => createRuntime(options))).toBe('OPTION_INVALID')
  })
})

describe('a hook that fails', () => {
  const cases: readonly [string, () => unknown, string][] = [
    ['throws', () => fail(new Error('oh')), 'crash'],
    ['throws a value that is not an error', () => fail('oh'), 'crash'],
    ['rejects', () => Promise.reject(new Error('oh')), 'crash'],
    ['throws a value without text', () => fail(Object.create(null)), 'crash'],
    ['rejects with a value without text', () => Promise.reject(Object.create(null)), 'crash'],
    ['rejects with a message that is not a string', async () => fail(withMessage(Symbol('oh'))), 'crash'],
    ['rejects with a value that throws when it is read', async () => fail(UNREADABLE), 'crash'],
    ['never settles', never, 'timeout'],
    ['never settles, as a thenable', () => ({ then: () => {} }), 'timeout'],
    ['returns a text', () => 'deny', 'invalidOutput'],
    ['returns true', () => true, 'invalidOutput'],
    ['returns a list', () => [{ deny: 'x' }], 'invalidOutput'],
    ['returns an Error', () => new Error('no'), 'invalidOutput'],
    ['returns a function', () => fine, 'invalidOutput'],
    ['returns unknown fields', () => ({ verdict: 'deny' }), 'invalidOutput'],
    ['returns half an answer', () => ({ deny: 'x', denny: 'y' }), 'invalidOutput'],
    ['resolves to a wrong type', async () => ({ deny: 42 }), 'invalidOutput'],
    ['rewrites to a value that is not JSON', () => ({ rewrite: { at: new Date() } }), 'invalidOutput'],
    ['injects with an unknown strategy', () => inject('carrier pigeon'), 'invalidOutput'],
    [
      'changes its input',
      ((event: { tool: { input: object } }) =>
        void Object.assign(event.tool.input, { a: 1 })) as () => unknown,
      'crash',
    ],
  ]
  const fail = (error: unknown): never => {
    throw error
  }
  const withMessage = (message: unknown) => Object.assign(new Error('x'), { message })
  const UNREADABLE = new Proxy(new Error('x'), {
    getPrototypeOf: () => {
      throw new Error('no')
    },
  })
  const inject = (strategy: string) => ({ effect: 'pass', context: [{ text: 'x', to: 'self', strategy }] })

  it.each(cases)('%s: the call is denied with a reason', async (_name, run, failure) => {
    const runtime = untyped()
    runtime.register({ on: 'PreToolUse', run }, { id: 'broken', timeoutMs: 20 })
    const result = await runtime.evaluate(call())
    expect(result).toMatchObject({ effect: 'deny', allowed: false, failures: [{ hook: 'broken', failure }] })
    expect(result.reason).toContain('broken')
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })

  it.each(['deny', 'ask', 'pass'])('becomes %s if the hook says so', async (policy) => {
    const runtime = untyped()
    for (const [index, [, run]] of cases.entries()) {
      runtime.register({ on: 'PreToolUse', run }, { id: `broken-${index}`, timeoutMs: 20, onFailure: policy })
    }
    const result = await runtime.evaluate(call())
    expect(result).toMatchObject({ effect: policy, allowed: policy === 'pass' })
    expect(result.failures).toHaveLength(cases.length)
  })

  it('that returns nothing has no opinion', () => {
    const runtime = untyped()
    for (const run of [() => undefined, () => null, () => ({})]) runtime.register({ on: 'PreToolUse', run })
    expect(runtime.evaluate(call())).toMatchObject({ effect: 'pass', failures: [], findings: [] })
  })

  it('does not keep other hooks from answering', async () => {
    const runtime = untyped()
    runtime.register({ on: 'PreToolUse', run: never }, { timeoutMs: 20, onFailure: 'pass' })
    runtime.register({ on: 'PreToolUse', run: () => ({ ask: 'sure?' }) })
    expect(await runtime.evaluate(call())).toMatchObject({
      effect: 'ask',
      failures: [{ failure: 'timeout' }],
    })
  })

  it('gets a signal when its time is up', async () => {
    const runtime = createRuntime()
    let told = false
    const run = (_event: unknown, { signal }: { signal?: AbortSignal }) => {
      signal?.addEventListener('abort', () => (told = true))
      return never()
    }
    runtime.register({ on: 'PreToolUse', run }, { timeoutMs: 20 })
    expect(await runtime.evaluate(call())).toMatchObject({ effect: 'deny' })
    expect(told).toBe(true)
  })

  it.each([
    ['a missing program', { command: './nowhere.sh' }, 'import'],
    ['a program that crashes', { command: 'exit 3' }, 'crash'],
    ['a program that prints invalid output', { command: 'echo "{oh"' }, 'invalidOutput'],
    ['an unknown handler', { handler: { type: 'telepathy' } }, 'import'],
  ])('%s denies the call', async (_name, hook, failure) => {
    const runtime = untyped()
    runtime.register({ on: 'PreToolUse', ...hook })
    expect(await runtime.evaluate(call())).toMatchObject({ effect: 'deny', failures: [{ failure }] })
  })

  it('the hook stores state, and the store is broken', () => {
    const problem = { code: 'STATE_UNWRITABLE', message: 'no space' } as const
    const state: StateStore = {
      read: () => ({ ok: false, problem }),
      commit: () => ({ ok: false, problem }),
    }
    const runtime = createRuntime({ state })
    runtime.register({
      on: 'PreToolUse',
      run: () => ({ effect: 'pass', remember: [{ op: 'count', key: 'n', by: 1 }] }),
    })
    expect(runtime.evaluate(call())).toMatchObject({ effect: 'deny', failures: [{ failure: 'state' }] })
  })

  it('a store that throws denies the call', () => {
    const state = {
      read: () => fail(new Error('gone')),
      commit: () => fail(new Error('gone')),
    } as StateStore
    expect(createRuntime({ state }).evaluate(call())).toMatchObject({
      effect: 'deny',
      reason: expect.stringContaining('[INTERNAL]'),
    })
  })
})

describe('an event that cannot be evaluated', () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  const deep = (levels: number): object => (levels === 0 ? {} : { below: deep(levels - 1) })
  const trap = {
    get kind(): string {
      throw new Error('do not look')
    },
  }

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'PAYLOAD_NOT_OBJECT'],
    ['a text', 'PreToolUse', 'PAYLOAD_NOT_OBJECT'],
    ['no kind', { tool: { name: 'Bash', input: {} } }, 'EVENT_UNKNOWN'],
    ['an unknown kind', { kind: 'BeforeTool' }, 'EVENT_UNKNOWN'],
    ['an inherited property as a kind', { kind: 'constructor' }, 'EVENT_UNKNOWN'],
    ['a kind that is not a string', { kind: 7n }, 'EVENT_UNKNOWN'],
    ['no tool', { kind: 'PreToolUse' }, 'PAYLOAD_FIELD'],
    ['a tool without a name', { kind: 'PreToolUse', tool: { input: {} } }, 'PAYLOAD_FIELD'],
    ['a tool with an empty name', { kind: 'PreToolUse', tool: { name: '', input: {} } }, 'PAYLOAD_FIELD'],
    ['a tool without input', { kind: 'PreToolUse', tool: { name: 'Bash' } }, 'PAYLOAD_FIELD'],
    ['a list as input', call([]), 'PAYLOAD_FIELD'],
    ['a session that is not a string', { ...call(), session: 7 }, 'PAYLOAD_FIELD'],
    ['an agent that is not a string', { ...call(), agent: null }, 'PAYLOAD_FIELD'],
    ['no prompt', { kind: 'UserPromptSubmit' }, 'PAYLOAD_FIELD'],
    ['a BigInt', call({ count: 7n }), 'PAYLOAD_FIELD'],
    ['a function', call({ run: fine }), 'PAYLOAD_FIELD'],
    ['a symbol', call({ tag: Symbol('x') }), 'PAYLOAD_FIELD'],
    ['NaN', call({ count: Number.NaN }), 'PAYLOAD_FIELD'],
    ['a Date', call({ at: new Date() }), 'PAYLOAD_FIELD'],
    ['a Map', call({ all: new Map() }), 'PAYLOAD_FIELD'],
    ['an object of a class', call(new (class Input {})()), 'PAYLOAD_FIELD'],
    ['a cycle', call(cycle), 'PAYLOAD_FIELD'],
    ['too many levels', call(deep(600)), 'PAYLOAD_FIELD'],
    ['a function as a field', { ...call(), extra: fine }, 'PAYLOAD_FIELD'],
    ['a value that throws when it is read', trap, 'INTERNAL'],
    [
      'an input that throws when it is read',
      call({
        get command() {
          throw new Error('no')
        },
      }),
      'INTERNAL',
    ],
  ])('%s is denied', (_name, event, code) => {
    const runtime = createRuntime()
    runtime.register({ run: () => ({ allow: true }) }, { grants: true })
    const result = runtime.evaluate(event as HookEvent)
    expect(result).toMatchObject({
      effect: 'deny',
      allowed: false,
      reason: expect.stringContaining(`[${code}]`),
      failures: [{ hook: 'holdpoint', failure: 'validation' }],
    })
  })

  it('passes with a notice if the event cannot be stopped', () => {
    const event = { kind: 'PostToolUse', tool: { name: 'Bash', input: {} }, output: 7n }
    expect(createRuntime().evaluate(event as unknown as HookEvent)).toMatchObject({
      effect: 'pass',
      notices: [expect.stringContaining('`output` must be JSON')],
      failures: [{ failure: 'validation' }],
    })
  })
})
