import { describe, expect, it } from 'vitest'
import { HookType } from '../../core/formats/massgen-hook-type.ts'
import type { HookCallable, Returned } from './function-hook.ts'
import { GeneralHookManager, type GivenEvent } from './general-hook-manager.ts'
import { HookResult } from './hook-result.ts'

const { PRE_TOOL_USE: PRE, POST_TOOL_USE: POST } = HookType
const call = (tool = 'Write', more: Partial<GivenEvent> = {}): GivenEvent => ({
  session_id: 's-1',
  agent_id: 'one',
  tool_name: tool,
  tool_input: { n: 0 },
  ...more,
})
const executed = (manager: GeneralHookManager, event = call(), type: HookType = PRE) =>
  manager.executeHooks(type, event)
const managerWith = (...hooks: readonly HookCallable[]) => {
  const manager = new GeneralHookManager()
  for (const hook of hooks) manager.registerGlobalHook(PRE, hook)
  return manager
}

describe('hooks for all agents and for one (R-004-03, R-004-12)', () => {
  const setup = () => {
    const ran: string[] = []
    const says = (name: string): HookCallable => ({ [name]: () => void ran.push(name) })[name] as HookCallable
    const manager = new GeneralHookManager()
    manager.registerAgentHook('one', PRE, says('own'))
    manager.registerGlobalHook(PRE, says('all'))
    manager.registerGlobalHook(POST, says('after'))
    return { manager, ran, says }
  }

  it('run those for all agents first, in any order of registration', async () => {
    const { manager, ran } = setup()
    await executed(manager)
    expect(ran).toEqual(['all', 'own'])
    expect(await manager.getHooksForAgent('one', PRE)).toEqual(['all', 'own'])
    expect(await manager.getHooksForAgent('two', PRE)).toEqual(['all'])
    expect(await manager.getHooksForAgent(null, POST)).toEqual(['after'])
  })

  it.each<[string, (manager: GeneralHookManager, says: (name: string) => HookCallable) => void, string[]]>([
    [
      'an override',
      (manager, says) => manager.registerAgentHook('one', PRE, says('new'), { override: true }),
      ['own', 'new'],
    ],
    [
      'an empty override',
      (manager) => manager.registerAgentHook('one', PRE, [], { override: true }),
      ['own'],
    ],
    [
      'an override at another hook type',
      (manager) => manager.registerAgentHook('one', POST, [], { override: true }),
      ['all', 'own'],
    ],
    [
      'an override of another agent',
      (manager) => manager.registerAgentHook('two', PRE, [], { override: true }),
      ['all', 'own'],
    ],
    [
      'an override that was cleared',
      (manager) => {
        manager.registerAgentHook('one', PRE, [], { override: true })
        manager.clearAgentHooks('one')
      },
      ['all'],
    ],
    [
      'an override whose hook was removed',
      (manager, says) => {
        const ids = manager.registerAgentHook('one', PRE, [says('new'), says('newer')], { override: true })
        for (const id of ids) manager.unregister(id)
      },
      ['all', 'own'],
    ],
    [
      'an override with one hook left',
      (manager, says) => {
        manager.registerAgentHook('one', PRE, [says('new'), says('newer')], { override: true })
        manager.unregister('new')
      },
      ['own', 'newer'],
    ],
    ['a removed hook', (manager) => manager.unregister('all'), ['own']],
    ['nothing left', (manager) => manager.clearHooks(), []],
  ])('after %s (R-004-15, R-004-16)', async (_name, change, expected) => {
    const { manager, ran, says } = setup()
    await executed(manager)
    ran.length = 0
    change(manager, says)
    await executed(manager)
    expect(ran).toEqual(expected)
  })

  it('have an id, which removes them once', () => {
    const manager = new GeneralHookManager()
    const check = () => null
    expect(manager.registerGlobalHook(PRE, check)).toBe('check')
    expect(manager.registerGlobalHook(PRE, check)).toBe('check-2')
    expect(manager.registerGlobalHook(PRE, check, { name: 'mine' })).toBe('mine')
    expect(manager.unregister('check')).toBe(true)
    expect(manager.unregister('check')).toBe(false)
  })

  it('have unique ids, whatever names are given', async () => {
    const ran: string[] = []
    const manager = new GeneralHookManager()
    const check = () => void ran.push('check')
    manager.registerGlobalHook(PRE, () => void ran.push('taken'), { name: 'check-3' })
    const ids = [manager.registerGlobalHook(PRE, check), manager.registerGlobalHook(PRE, check)]
    expect(new Set([...ids, 'check-3']).size).toBe(3)
    await executed(manager)
    expect(ran).toEqual(['taken', 'check', 'check'])
  })

  it('of two managers are independent', async () => {
    const [first, second] = [managerWith(() => false), managerWith()]
    expect((await executed(first)).allowed).toBe(false)
    expect((await executed(second)).allowed).toBe(true)
  })
})

describe('the matcher (R-004-05, R-004-23, R-004-24)', () => {
  it.each([
    ['*', 'Write', true],
    ['', 'Write', true],
    ['Write', 'Write', true],
    ['Write', 'write', false],
    ['Write', 'WriteAll', false],
    ['Write*', 'WriteAll', true],
    ['Write | Edit', 'Edit', true],
    ['mcp__*|Bash', 'mcp__a__b', true],
    ['[WE]*', 'Edit', true],
    ['[!W]*', 'Write', false],
    ['Wr?te', 'Write', true],
  ])('%j on %s: %s', async (matcher, tool, matches) => {
    const manager = new GeneralHookManager()
    manager.registerGlobalHook(PRE, () => HookResult.deny('no'), { matcher })
    expect((await executed(manager, call(tool))).allowed).toBe(!matches)
  })
})

describe('several hooks', () => {
  it('end at the first deny, whose reason is returned (K-11)', async () => {
    const ran: number[] = []
    const manager = managerWith(
      () => void ran.push(1),
      () => (ran.push(2), HookResult.deny('two says no')),
      () => (ran.push(3), HookResult.deny('three too')),
    )
    expect(await executed(manager)).toMatchObject({ allowed: false, decision: 'deny', reason: 'two says no' })
    expect(ran).toEqual([1, 2])
  })

  it('keep every question', async () => {
    const manager = managerWith(
      () => HookResult.ask('a?'),
      () => null,
      () => HookResult.ask('b?'),
    )
    expect(await executed(manager)).toMatchObject({ allowed: true, decision: 'ask', reason: 'a?\nb?' })
  })

  it('each get the input as the one before changed it', async () => {
    const adds: HookCallable = async ({ tool_input: input }) => ({
      updated_input: { ...input, n: Number(input.n) + 1 },
    })
    const manager = managerWith(adds, () => null, adds, adds)
    expect(await executed(manager)).toMatchObject({ decision: 'allow', updated_input: { n: 3 } })
  })

  it('keep every text, by its delivery strategy', async () => {
    const manager = new GeneralHookManager()
    const texts = [
      ['a', 'tool_result'],
      ['b', 'user_message'],
      ['c', 'tool_result'],
    ] as const
    for (const [content, strategy] of texts) {
      manager.registerGlobalHook(POST, () => ({ inject: { content, strategy } }))
    }
    expect((await executed(manager, call(), POST)).inject).toEqual({
      content: 'a\nb\nc',
      strategy: 'tool_result',
      by_strategy: { tool_result: ['a', 'c'], user_message: ['b'] },
    })
  })

  it('are listed, with how long each took (R-004-29)', async () => {
    const manager = managerWith(
      function silent() {
        return null
      },
      function broken() {
        throw new Error('oh')
      },
      function asks() {
        return HookResult.ask('x'.repeat(300))
      },
    )
    const { executions, hook_errors } = await executed(manager)
    expect(executions).toMatchObject([
      { hook: 'silent', decision: 'allow', preview: null, error: null },
      { hook: 'broken', decision: 'allow', error: 'crash: oh' },
      { hook: 'asks', decision: 'ask', preview: 'x'.repeat(200) },
    ])
    expect(executions.every(({ duration_ms }) => duration_ms >= 0)).toBe(true)
    expect(hook_errors).toEqual(['broken: crash: oh'])
  })

  it('may return the result of another manager, which survives JSON', async () => {
    const inner = new GeneralHookManager()
    inner.registerGlobalHook(POST, () => ({ inject: { content: 'a', strategy: 'user_message' } }))
    inner.registerGlobalHook(POST, () => ({ inject: { content: 'b', strategy: 'tool_result' } }))
    const said = await executed(inner, call(), POST)
    expect(HookResult.parse(HookResult.stringify(said))).toEqual(said)
    const outer = new GeneralHookManager()
    outer.registerGlobalHook(POST, (event) => inner.executeHooks(POST, event))
    expect((await executed(outer, call(), POST)).inject?.by_strategy).toEqual(said.inject?.by_strategy)
  })

  it('pass on the errors inside them', async () => {
    const manager = managerWith(() => ({ hook_errors: ['child failed'] }))
    expect((await executed(manager)).hook_errors).toEqual([expect.stringMatching(/: child failed$/)])
  })
})

describe('a hook that fails', () => {
  const never = () => new Promise<never>(() => {})
  const wrong: Readonly<Record<string, () => unknown>> = {
    throws: () => {
      throw new Error('broken')
    },
    rejects: async () => {
      throw new Error('broken')
    },
    'throws undefined': () => {
      throw undefined
    },
    'never settles (R-004-27)': never,
    'returns a text': () => 'deny',
    'returns a number': () => 0,
    'returns a list': () => [],
    'returns an unknown decision': () => ({ decision: 'nope' }),
    'returns an object of a class': () => new Map(),
    'resolves to a wrong type': async () => ({ inject: 'x' }),
    'returns an input that is not JSON': () => ({ updated_input: { f: () => 1 } }),
  }

  it.each(Object.keys(wrong))('because it %s: passes with an error (R-004-29)', async (name) => {
    const manager = new GeneralHookManager()
    manager.registerGlobalHook(PRE, wrong[name] as HookCallable, { timeout: 0.02 })
    const result = await executed(manager)
    expect(result).toMatchObject({ allowed: true, decision: 'allow', updated_input: null })
    expect(result.hook_errors).toHaveLength(1)
  })

  it.each(Object.keys(wrong))('because it %s: denies if it fails closed', async (name) => {
    const manager = new GeneralHookManager()
    manager.registerGlobalHook(PRE, wrong[name] as HookCallable, { timeout: 0.02, fail_closed: true })
    const result = await executed(manager)
    expect(result).toMatchObject({ allowed: false, decision: 'deny' })
    expect(result.hook_errors).toHaveLength(1)
  })

  it('does not keep the next hook from answering, however long it took', async () => {
    const manager = new GeneralHookManager()
    manager.registerGlobalHook(PRE, never, { timeout: 0.02 })
    manager.registerGlobalHook(PRE, () => HookResult.deny('still here'))
    expect((await executed(manager)).reason).toBe('still here')
  })

  it('may change its event: other hooks do not see it', async () => {
    const seen: unknown[] = []
    const event = call('Write', { tool_input: { deep: { n: 1 } } })
    const manager = managerWith(
      (given) => {
        const input = given.tool_input as { deep?: { n: number } }
        if (input.deep) input.deep.n = 666
        ;(given as { tool_name: string }).tool_name = 'Read'
        delete input.deep
      },
      (given) => void seen.push([given.tool_name, given.tool_input]),
    )
    expect(await executed(manager, event)).toMatchObject({ updated_input: null })
    expect(seen).toEqual([['Write', { deep: { n: 1 } }]])
    expect(event.tool_input).toEqual({ deep: { n: 1 } })
  })

  it.each<[string, unknown, object]>([
    ['no function', 'audit', {}],
    ['nothing', undefined, {}],
    ['an object', { execute: () => null }, {}],
    ['an invalid matcher', () => null, { matcher: '[' }],
    ['an invalid timeout', () => null, { timeout: 0 }],
    ['a timeout that is a word', () => null, { timeout: 'soon' }],
    ['a timeout that is a number as a string', () => null, { timeout: '3' }],
    ['an invalid flag', () => null, { fail_closed: 'yes' }],
    ['an unknown option', () => null, { failClosed: true }],
    ['no name', () => null, { name: '' }],
    ['invalid options', () => null, null as unknown as object],
  ])('is refused at once, and nothing is registered: %s', async (_name, hook, options) => {
    const manager = new GeneralHookManager()
    expect(() => manager.registerGlobalHook(PRE, hook as HookCallable, options)).toThrow(/HOOK_INVALID/)
    expect(() => manager.registerAgentHook('', PRE, () => null)).toThrow(/HOOK_INVALID/)
    expect(() => manager.registerAgentHook('a', PRE, [() => false, 7 as never])).toThrow(/HOOK_INVALID/)
    expect(() => new GeneralHookManager({ handlers: { x: 7 as never } })).toThrow(/HOOK_INVALID/)
    expect(() => manager.registerGlobalHook('Before' as HookType, () => null)).toThrow(/HOOK_INVALID/)
    expect(await manager.getHooksForAgent('a', PRE)).toEqual([])
  })
})

describe('an event that cannot be evaluated', () => {
  const fail = (): never => {
    throw new Error('no')
  }
  it.each<[string, unknown]>([
    ['no tool', { tool_input: {} }],
    ['no input', { tool_name: 'x' }],
    ['an input that is not JSON', { tool_name: 'x', tool_input: { n: 1n } }],
    ['nothing', undefined],
    ['a name that is not a string', { tool_name: 1n, tool_input: {} }],
    ['a name that is a symbol', { tool_name: Symbol('x'), tool_input: {} }],
    ['an input that is a function', { tool_name: 'x', tool_input: () => 1 }],
    ['an output that is not JSON', { tool_name: 'x', tool_input: {}, tool_output: 1n }],
    ['an output that is a function', { tool_name: 'x', tool_input: {}, tool_output: () => 1 }],
    ['an invalid session', { tool_name: 'x', tool_input: {}, session_id: 1n }],
    ['a value that throws when it is read', new Proxy({}, { ownKeys: () => fail() })],
  ])('is denied before a call, and reported after it: %s', async (_name, event) => {
    const manager = managerWith()
    const before = await manager.executeHooks(PRE, event as GivenEvent)
    expect(before).toMatchObject({ allowed: false, decision: 'deny', hook_errors: [expect.any(String)] })
    const after = await manager.executeHooks(POST, event as GivenEvent)
    expect(after).toMatchObject({ allowed: true, hook_errors: [expect.any(String)] })
  })

  it.each([[Symbol('x')], [1n], [undefined], ['Stopp']])('has an unknown hook type: %s', async (type) => {
    expect(await managerWith().executeHooks(type as HookType, call())).toMatchObject({ decision: 'deny' })
  })

  it('with arguments that are not JSON is evaluated as it is', async () => {
    const seen: unknown[] = []
    const manager = managerWith((event): Returned => void seen.push(event.tool_input))
    await executed(manager, call('Bash', { tool_input: '{"cut": ' }))
    expect(seen).toEqual([{ raw: '{"cut": ' }])
  })
})

describe('the old injection callback (R-004-07)', () => {
  it('works, is replaced, is removed, and warns once that it is deprecated', async () => {
    const warnings: string[] = []
    const manager = new GeneralHookManager({ onWarning: (text) => warnings.push(text) })
    const injected = async () => (await executed(manager, call(), POST)).inject
    manager.setMidStreamInjectionCallback(() => 'first')
    expect(await injected()).toEqual({ content: 'first', strategy: 'tool_result' })
    manager.setMidStreamInjectionCallback(async (agent) => `for ${agent}`)
    expect(await injected()).toEqual({ content: 'for one', strategy: 'tool_result' })
    manager.setMidStreamInjectionCallback(null)
    expect(await injected()).toBeNull()
    expect(warnings).toEqual([expect.stringContaining('deprecated')])
  })
})

describe('a manager decides as every other part of Holdpoint', () => {
  const stop = { session_id: 's-1', agent_id: 'one', stop_hook_active: true }

  it('blocks the stop of an agent only as often as the limit allows', async () => {
    const manager = new GeneralHookManager()
    manager.registerGlobalHook('Stop', () => HookResult.deny('Write the notes first.'))
    const held: boolean[] = []
    for (let turn = 0; turn < 4; turn += 1) held.push(!(await manager.executeHooks('Stop', stop)).allowed)
    expect(held).toEqual([true, true, true, false])
  })

  it('counts each agent and each session separately', async () => {
    const manager = new GeneralHookManager()
    manager.registerGlobalHook('SubagentStop', () => HookResult.deny('Not yet.'))
    for (let turn = 0; turn < 3; turn += 1) await manager.executeHooks('SubagentStop', stop)
    const others = [
      { ...stop, agent_id: 'two' },
      { ...stop, session_id: 's-2' },
    ]
    for (const other of others) {
      expect((await manager.executeHooks('SubagentStop', other)).allowed).toBe(false)
    }
    expect((await manager.executeHooks('SubagentStop', stop)).allowed).toBe(true)
  })

  it('passes a prompt to hooks for prompts', async () => {
    const manager = new GeneralHookManager()
    manager.registerGlobalHook('UserPromptSubmit', () => HookResult.deny('No.'))
    const result = await manager.executeHooks('UserPromptSubmit', { session_id: 's', prompt: 'hello' })
    expect(result).toMatchObject({ allowed: false, reason: expect.stringContaining('No.') })
  })

  it('refuses a prompt without its text', async () => {
    const manager = new GeneralHookManager()
    expect(await manager.executeHooks('UserPromptSubmit', { session_id: 's' })).toMatchObject({
      allowed: false,
    })
  })
})
