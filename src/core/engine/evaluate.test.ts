import { describe, expect, it } from 'vitest'
import { actorOf, bash, eventOf, frozenFacts } from '../../library/testing/events.ts'
import { type CallableHook, engineOf, onFailureOf } from '../../library/testing/hooks.ts'
import type { Decision } from '../decision.ts'
import type { Event } from '../event.ts'
import { FAILURE_KINDS, type FailurePolicy } from '../hook.ts'
import { evaluate } from './evaluate.ts'
import type { Engine, RunContext } from './run-hooks.ts'

function judge(engine: Engine, event: Event, budgetMs = 1_000): Decision | Promise<Decision> {
  const actor = actorOf(event)
  return evaluate(engine, event, {
    actor,
    facts: frozenFacts(),
    memory: {},
    budgetMs,
    now: () => performance.now(),
  })
}

async function decide(
  hooks: readonly CallableHook[],
  event: Event = bash('ls'),
  budgetMs?: number,
): Promise<Decision> {
  const { engine } = await engineOf(hooks)
  return judge(engine, event, budgetMs)
}

const never = () => new Promise(() => {})
const inputOf = (event: Event) => (event.kind === 'PreToolUse' ? event.tool.input.command : undefined)

const CONTEXT = { text: 'mind', to: 'self' } as const

describe('evaluate', () => {
  it('stays sync if every handler is sync (no promise, no timer)', async () => {
    const { engine } = await engineOf([
      { run: () => undefined },
      { run: () => ({ effect: 'deny', reason: 'no' }) },
    ])
    const decision = judge(engine, bash('ls'))
    expect(decision).not.toBeInstanceOf(Promise)
    expect(decision).toMatchObject({ effect: 'deny', because: ['hook-1'] })
  })

  it('runs every matching hook, even after a deny, and combines the answers (R-000-46)', async () => {
    const ran: string[] = []
    const decision = await decide([
      { run: () => (ran.push('first'), { effect: 'deny', reason: 'a' }) },
      { run: async () => (ran.push('second'), { effect: 'ask', reason: 'b' }) },
      { run: () => (ran.push('third'), { effect: 'deny', reason: 'c' }) },
    ])
    expect(ran).toEqual(['first', 'second', 'third'])
    expect(decision.effect).toBe('deny')
    expect(decision.reasons.map((reason) => reason.text)).toEqual(['a', 'c'])
  })

  it('runs async handlers in parallel (R-000-50, R-004-30)', async () => {
    let open = 0
    let most = 0
    const slow = async () => {
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setTimeout(resolve, 5))
      open -= 1
    }
    await decide([{ run: slow }, { run: slow }, { run: slow }])
    expect(most).toBe(3)
  })

  it('accepts allow only from a hook with `grants`; otherwise it becomes a pass with a notice', async () => {
    const plain = await decide([{ run: () => ({ effect: 'allow' }) }])
    expect(plain.effect).toBe('pass')
    expect(plain.notices[0]).toContain('grants: true')
    const granting = await decide([{ run: () => ({ effect: 'allow' }), grants: true }])
    expect(granting.effect).toBe('allow')
  })

  it('accepts only deny, ask and warnings from configuration that is not trusted', async () => {
    const everything = {
      effect: 'ask',
      reason: 'hm',
      rewrite: { command: 'x' },
      output: 'x',
      halt: 'x',
      notices: ['careful'],
      context: [{ text: 'x', to: 'self' }],
    }
    const decision = await decide([{ run: () => everything, trusted: false }])
    expect(decision).toMatchObject({ effect: 'ask', notices: ['careful'], context: [] })
    expect(decision.rewrite ?? decision.output ?? decision.halt).toBeUndefined()
  })
})

describe('a hook that fails', () => {
  const failing: Record<string, CallableHook['run']> = {
    crash: () => {
      throw new Error('broken')
    },
    'crash, later': async () => {
      throw new Error('broken')
    },
    timeout: never,
    invalidOutput: () => 'yes',
    'invalidOutput, unknown word': () => ({ permissionDecision: 'maybe' }),
  }
  const policies: readonly FailurePolicy[] = ['deny', 'ask', 'pass']
  const cases = Object.keys(failing).flatMap((name) => policies.map((policy) => [name, policy] as const))

  it.each(cases)('with %s becomes what its policy says: %s', async (name, policy) => {
    const run = failing[name] ?? never
    const decision = await decide([{ run, onFailure: policy, timeoutMs: 20 }])
    const kind = name.split(',')[0]
    expect(decision.effect).toBe(policy)
    expect(decision.failed).toMatchObject([{ hook: 'hook-0', failure: { failure: kind }, became: policy }])
    const told = [...decision.reasons.map((reason) => reason.text), ...decision.notices].join()
    expect(told).toContain('hook-0 could not answer')
  })

  it('has a policy for every kind of failure', async () => {
    const { engine } = await engineOf([
      {
        run: () => null,
        onFailure: {
          ...onFailureOf('deny'),
          import: 'ask',
          parse: 'pass',
          validation: 'deny',
          timeout: 'pass',
        },
      },
    ])
    const [hook] = engine.hooks
    expect(Object.keys(hook?.onFailure ?? {}).sort()).toEqual([...FAILURE_KINDS].sort())
    const broken: Engine = { ...engine, runners: [{ failure: 'import', message: 'gone' }] }
    expect(await judge(broken, bash('ls'))).toMatchObject({ effect: 'ask' })
  })

  it('is tried again when its policy says so, and then gets the final effect', async () => {
    let runs = 0
    const flaky = () => {
      runs += 1
      if (runs < 3) throw new Error('not yet')
      return { effect: 'pass', notices: ['fine now'] }
    }
    const decision = await decide([{ run: flaky, onFailure: { retry: 2, then: 'deny' } }])
    expect(runs).toBe(3)
    expect(decision).toMatchObject({ effect: 'pass', notices: ['fine now'], failed: [] })
    runs = -10
    expect(await decide([{ run: flaky, onFailure: { retry: 1, then: 'ask' } }])).toMatchObject({
      effect: 'ask',
    })
    expect(runs).toBe(-8)
  })

  it('that hangs does not block the other hooks, and its late answer is ignored', async () => {
    const decision = await decide([
      { run: never, onFailure: 'pass', timeoutMs: 20 },
      { run: async () => ({ effect: 'deny', reason: 'still here' }) },
    ])
    expect(decision).toMatchObject({ effect: 'deny', because: ['hook-1'] })
    expect(decision.failed).toHaveLength(1)
  })

  it('gets an abort signal at its time limit, which is cut to what the event has left', async () => {
    let aborted = false
    const run: CallableHook['run'] = (_event, call) => {
      expect(call.timeoutMs).toBeLessThanOrEqual(500)
      call.signal.addEventListener('abort', () => {
        aborted = true
      })
      return never()
    }
    await decide([{ run, timeoutMs: 60_000 }], bash('ls'), 500)
    expect(aborted).toBe(true)
  })
})

describe('rewrites', () => {
  const rewriter = (command: string, seen: unknown[] = []): CallableHook => ({
    rewrites: true,
    run: (event) => (seen.push(inputOf(event)), { effect: 'pass', rewrite: { command } }),
  })

  it('run in plan order, each on the previous result, and all other hooks check the final input', async () => {
    const seen: unknown[] = []
    const decision = await decide([
      { run: (event) => (seen.push(['guard', inputOf(event)]), null) },
      rewriter('b', seen),
      rewriter('c', seen),
    ])
    expect(seen).toEqual(['ls', 'b', ['guard', 'c']])
    expect(decision.rewrite).toEqual({ command: 'c' })
  })

  it('that were not declared are applied, and every other hook checks the result once more', async () => {
    const decision = await decide([
      { run: (event) => (inputOf(event) === 'rm' ? { effect: 'deny', reason: 'no rm' } : null) },
      { run: () => ({ effect: 'pass', rewrite: { command: 'rm' } }) },
    ])
    expect(decision).toMatchObject({ effect: 'deny', because: ['hook-0'], rewrite: { command: 'rm' } })
  })

  it('that follow an undeclared one are denied, because no hook checked the last input', async () => {
    const decision = await decide([
      {
        run: (event) => (inputOf(event) === 'ls' ? { effect: 'pass', rewrite: { command: 'ls -la' } } : null),
      },
      {
        run: (event) =>
          inputOf(event) === 'ls -la' ? { effect: 'pass', rewrite: { command: 'rm -rf /' } } : null,
      },
    ])
    expect(decision).toMatchObject({ effect: 'deny', rewrite: { command: 'ls -la' } })
  })

  it('do not keep an allow that was given for an earlier input', async () => {
    const grant: CallableHook = {
      grants: true,
      run: (event) => (inputOf(event) === 'ls' ? { effect: 'allow' } : null),
    }
    const undeclared: CallableHook = { run: () => ({ effect: 'pass', rewrite: { command: 'curl x | sh' } }) }
    expect(await decide([grant, undeclared])).toMatchObject({
      effect: 'pass',
      rewrite: { command: 'curl x | sh' },
    })
    const granting: CallableHook = {
      rewrites: true,
      grants: true,
      run: () => ({ effect: 'allow', rewrite: { command: 'a' } }),
    }
    expect((await decide([granting, rewriter('b')])).effect).toBe('pass')
    expect(await decide([rewriter('b'), granting])).toMatchObject({
      effect: 'allow',
      rewrite: { command: 'a' },
    })
  })

  it('send the input that was checked last, whatever the position of its hook in the plan', async () => {
    const author: CallableHook = {
      run: (event) => (inputOf(event) === 'b' ? { effect: 'pass', rewrite: { command: 'c' } } : null),
    }
    expect((await decide([author, rewriter('b')])).rewrite).toEqual({ command: 'c' })
  })

  it('that were not declared run the other hooks again, and each of them is reported once', async () => {
    const author: CallableHook = {
      run: (event) => (inputOf(event) === 'b' ? null : { effect: 'pass', rewrite: { command: 'b' } }),
    }
    const asking: CallableHook = {
      run: () => ({ effect: 'ask', reason: 'Is that meant?', notices: ['asked'], context: [CONTEXT] }),
    }
    const decision = await decide([author, asking])
    expect(decision.reasons.map(({ text }) => text)).toEqual(['Is that meant?'])
    expect([decision.notices, decision.context]).toEqual([['asked'], [CONTEXT]])
  })

  it('by two hooks that did not declare them keep the last, and report the other', async () => {
    const once = (command: string): CallableHook => ({
      run: (event) => (inputOf(event) === 'ls' ? { effect: 'pass', rewrite: { command } } : null),
    })
    const decision = await decide([once('a'), once('b')], bash('ls'))
    expect(decision).toMatchObject({ rewrite: { command: 'b' } })
    expect(decision.notices.join()).toMatch(/was lost, because .* changed the call too/)
  })

  it('keep only the effect of what hooks answered about the first input', async () => {
    const author: CallableHook = {
      run: (event) => (inputOf(event) === 'b' ? null : { effect: 'pass', rewrite: { command: 'b' } }),
    }
    const first: CallableHook = {
      run: (event) =>
        inputOf(event) === 'b' ? null : { effect: 'deny', reason: 'not this', context: [CONTEXT] },
    }
    expect(await decide([author, first])).toMatchObject({ effect: 'deny', context: [] })
  })

  it('can change the error text of a failed tool call', async () => {
    const mask: CallableHook = {
      on: 'PostToolUseFailure',
      run: (event) =>
        event.kind === 'PostToolUseFailure' && event.error === 'secret'
          ? { effect: 'pass', output: 'masked' }
          : null,
    }
    const decision = await decide(
      [mask],
      eventOf('PostToolUseFailure', {
        tool: { name: 'Bash', input: {} },
        error: 'secret',
        interrupted: false,
      }),
    )
    expect([decision.output, decision.notices]).toEqual(['masked', []])
  })

  it('are ignored at events without a call to change', async () => {
    const decision = await decide(
      [{ on: 'Stop', run: () => ({ effect: 'pass', rewrite: { command: 'x' }, output: 'y' }) }],
      eventOf('Stop', { stopHookActive: false }),
    )
    expect(decision.rewrite ?? decision.output).toBeUndefined()
    expect(decision.notices[0]).toContain('no tool call to change')
  })

  it('of an output run in the same way after a call', async () => {
    const decision = await decide(
      [
        { on: 'PostToolUse', rewrites: true, run: () => ({ effect: 'pass', output: 'masked' }) },
        {
          on: 'PostToolUse',
          run: (event) => ('output' in event && event.output === 'masked' ? null : { effect: 'deny' }),
        },
      ],
      eventOf('PostToolUse', { tool: { name: 'Bash', input: {} }, output: 'secret' }),
    )
    expect(decision).toMatchObject({ effect: 'pass', output: 'masked' })
  })

  it('get at most half of the time, so that guards always have time to run', async () => {
    let left = 0
    await decide(
      [
        { rewrites: true, run: never, onFailure: 'pass', timeoutMs: 60_000 },
        { run: (_event, call) => ((left = call.timeoutMs), null), timeoutMs: 60_000 },
      ],
      bash('ls'),
      2_000,
    )
    expect(left).toBeGreaterThan(0)
  })
})

describe('a sequence that ends at the first deny', () => {
  const link = (name: string, answer: object | null, ran: string[]): CallableHook => ({
    rewrites: true,
    shortCircuit: true,
    run: (event) => (ran.push(`${name} ${inputOf(event)}`), answer),
  })

  it('runs no later hook of that sequence; all other hooks still run', async () => {
    const ran: string[] = []
    const decision = await decide([
      link('first', { effect: 'pass', rewrite: { command: 'ls -l' } }, ran),
      link('second', { effect: 'deny', reason: 'no' }, ran),
      link('third', { effect: 'deny', reason: 'never asked' }, ran),
      { rewrites: true, run: (event) => (ran.push(`other ${inputOf(event)}`), null) },
      { run: (event) => (ran.push(`guard ${inputOf(event)}`), { effect: 'deny', reason: 'nor me' }) },
    ])
    expect(ran).toEqual(['first ls', 'second ls -l', 'other ls -l', 'guard ls -l'])
    expect(decision.reasons.map((reason) => reason.text)).toEqual(['no', 'nor me'])
  })

  it('keeps the asks of all its hooks', async () => {
    const ran: string[] = []
    const asks = ['a?', 'b?'].map((reason) => link(reason, { effect: 'ask', reason }, ran))
    expect((await decide(asks)).reasons.map((reason) => reason.text)).toEqual(['a?', 'b?'])
  })

  it('does not shorten a hook to leave time that later hooks do not need', async () => {
    let given = 0
    const first: CallableHook = {
      rewrites: true,
      timeoutMs: 700,
      run: (_event, call) => ((given = call.timeoutMs), null),
    }
    await decide([
      first,
      { rewrites: true, timeoutMs: 100, run: () => null },
      { timeoutMs: 100, run: () => null },
    ])
    expect(given).toBe(700)
  })

  it('leaves time for every later hook, even if an earlier one is slow', async () => {
    const ran: string[] = []
    const slow: CallableHook = { rewrites: true, run: never, onFailure: 'pass', timeoutMs: 60_000 }
    const guard: CallableHook = {
      rewrites: true,
      timeoutMs: 60_000,
      run: async () => (ran.push('guard'), { effect: 'deny', reason: 'here' }),
    }
    expect((await decide([slow, guard], bash('ls'), 2_000)).effect).toBe('deny')
    expect(ran).toEqual(['guard'])
  })
})

describe('time', () => {
  it('that is over for one hook is not over for another', async () => {
    const slow = () => new Promise((resolve) => setTimeout(() => resolve({ effect: 'ask', reason: 'b' }), 60))
    const decision = await decide(
      [
        { run: never, onFailure: 'pass', timeoutMs: 5 },
        { run: slow, onFailure: 'pass', timeoutMs: 60_000 },
      ],
      bash('ls'),
      60_000,
    )
    expect(decision.effect).toBe('ask')
    expect(decision.failed.map(({ hook, failure }) => [hook, failure.failure])).toEqual([
      ['hook-0', 'timeout'],
    ])
    expect(decision.notices[0]).toContain('no answer within 5 ms')
  })

  it('is left for an answer that a hook has when it is told to stop', async () => {
    const stopped: CallableHook['run'] = (_event, call) =>
      new Promise((resolve) => {
        call.signal.addEventListener('abort', () => resolve({ effect: 'ask', reason: 'in time' }))
      })
    expect((await decide([{ run: stopped, timeoutMs: 5 }])).reasons.map(({ text }) => text)).toEqual([
      'in time',
    ])
  })

  it('of the event starts when its hooks do', async () => {
    const { engine } = await engineOf([{ rewrites: true, run: () => null }, { run: () => null }])
    const given: number[] = []
    let nowMs = 100
    const runner = (call: { readonly timeoutMs: number }) => (given.push(call.timeoutMs), (nowMs += 30), null)
    const hooks = engine.hooks.map((hook) => ({ ...hook, timeoutMs: 1000 }))
    const event = bash('ls')
    await evaluate({ ...engine, hooks, runners: [runner, runner] }, event, {
      ...{ actor: actorOf(event), facts: frozenFacts(), memory: {}, budgetMs: 90, now: () => nowMs },
    })
    // A third of the time is its own; the other hook has what is left.
    expect(given).toEqual([45, 60])
  })
})

describe('an undeclared rewrite', () => {
  const rewriting = (command: string, more: object = {}): CallableHook => ({
    run: (event) => (inputOf(event) === 'ls' ? { effect: 'pass', rewrite: { command }, ...more } : null),
  })

  it('that a hook also allows is allowed, if nobody objects', async () => {
    const granting = { ...rewriting('ls -l', { effect: 'allow' }), grants: true }
    expect(await decide([granting])).toMatchObject({ effect: 'allow', rewrite: { command: 'ls -l' } })
    expect(await decide([granting, rewriting('ls -a')])).toMatchObject({
      effect: 'pass',
      rewrite: { command: 'ls -a' },
    })
  })

  it('is checked by managed rewriters, and not by others', async () => {
    const seen: string[] = []
    const rewriter = (name: string, rank: 'managed' | 'user'): CallableHook => ({
      rank,
      rewrites: true,
      run: (event) => (seen.push(`${name} ${inputOf(event)}`), null),
    })
    await decide([rewriter('m', 'managed'), rewriter('u', 'user'), rewriting('b')])
    expect(seen).toEqual(['m ls', 'u ls', 'm b'])
  })

  it('is lost with a name, once for each hook that lost', async () => {
    const { notices, rewrite } = await decide([rewriting('a'), rewriting('b'), rewriting('c')])
    expect(rewrite).toEqual({ command: 'c' })
    expect(notices.map((notice) => /^The change of (\S+) .* because (\S+) /.exec(notice)?.slice(1))).toEqual([
      ['hook-0', 'hook-2'],
      ['hook-1', 'hook-2'],
    ])
    expect((await decide([rewriting('a')])).notices).toEqual([])
  })

  it('of the second round is denied, with the name of the hook', async () => {
    const again: CallableHook = {
      run: (event) => (inputOf(event) === 'b' ? { effect: 'pass', rewrite: { command: 'c' } } : null),
    }
    const { effect, reasons } = await decide([rewriting('b'), again])
    expect([effect, reasons.length]).toEqual(['deny', 1])
    expect(reasons[0]?.text).toMatch(/two hooks keep changing it: hook-1 changed it after all other hooks/)
  })
})

describe('hooks that an event does not concern', () => {
  const around = (more: Partial<RunContext> = {}): RunContext => ({
    ...{ actor: actorOf(bash('ls')), facts: frozenFacts(), memory: {}, budgetMs: 90, now: () => 0 },
    ...more,
  })
  const denying: CallableHook = { run: () => ({ effect: 'deny', reason: 'no' }) }
  const because = async (engine: Partial<Engine>, more: Partial<RunContext> = {}) => {
    const made = await engineOf([denying, denying])
    return (await evaluate({ ...made.engine, ...engine }, bash('ls'), around(more))).because
  }

  it('are not asked, except for a trace, which names all', async () => {
    expect(await because({ concerned: () => [1] })).toEqual(['hook-1'])
    const traced: number[] = []
    const trace = (hookIndex: number) => traced.push(hookIndex)
    expect(await because({ concerned: () => [1] }, { trace })).toEqual(['hook-0', 'hook-1'])
    expect(traced).toEqual([0, 1])
  })

  it('are asked if nobody can tell whom it concerns', async () => {
    const concerned = () => {
      throw new Error('broken')
    }
    expect(await because({ concerned })).toEqual(['hook-0', 'hook-1'])
  })

  it('say so themselves, and then are traced as hooks without an opinion', async () => {
    const runner = (concerns: () => boolean) =>
      Object.assign(() => ({ effect: 'deny' as const, reason: 'no' }), { concerns })
    const broken = () => {
      throw new Error('broken')
    }
    const runners = [runner(() => false), runner(broken)]
    const traced: unknown[] = []
    const trace: RunContext['trace'] = (hookIndex, outcome) =>
      traced.push([hookIndex, outcome !== null && 'effect' in outcome ? outcome.effect : undefined])
    expect(await because({ runners }, { trace })).toEqual(['hook-1'])
    expect(traced).toEqual([
      [0, undefined],
      [1, 'deny'],
    ])
  })
})
