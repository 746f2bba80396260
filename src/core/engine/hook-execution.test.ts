import { describe, expect, it, test } from 'vitest'
import { actorOf, bash, eventOf, frozenFacts } from '../../library/testing/events.ts'
import { type CallableHook, engineOf, hookOf, onFailureOf } from '../../library/testing/hooks.ts'
import type { Answer, Failure, Finding } from '../decision.ts'
import type { Event } from '../event.ts'
import type { Hook } from '../hook.ts'
import { evaluate } from './evaluate.ts'
import { crash, failedAfterwards, thrownText } from './hook-execution.ts'
import type { RunContext } from './run-hooks.ts'

const ALLOWS = 'hook answered "allow" without `grants: true` in its configuration, so the answer was ignored.'

/** The finding of one hook that answers this. */
async function found(answer: unknown, more: Partial<Hook> = {}, event: Event = bash('ls')) {
  const hook = { run: () => answer as Answer, id: 'hook', on: event.kind, ...more } as CallableHook
  const { engine } = await engineOf([hook])
  const runners = [() => answer as Answer]
  return (await evaluate({ ...engine, runners }, event, around(event))).findings[0]
}

function around(event: Event, more: Partial<RunContext> = {}): RunContext {
  return {
    ...{ actor: actorOf(event), facts: frozenFacts(), memory: {}, budgetMs: 1000, now: () => 0 },
    ...more,
  }
}

describe('what a hook answers', () => {
  const full: Answer = {
    effect: 'ask',
    reason: 'r',
    guard: 'g',
    question: 'q',
    ifDenied: 'i',
    notices: ['n'],
    remember: [{ op: 'set', key: 'a', value: 1 }],
    rememberDenied: [{ op: 'set', key: 'b', value: 1 }],
    detail: { d: 1 },
    context: [{ text: 'c', to: 'self' }],
    halt: 'h',
    files: [{ path: 'f', text: 'x' }],
  }

  it('is its finding, whole', async () => {
    expect(await found(full)).toEqual({ hook: 'hook', hookIndex: 0, ...full })
    expect(await found(null)).toBeUndefined()
  })

  it('from a file that is not trusted is only what makes it stricter, or is remembered', async () => {
    const { effect, reason, guard, notices, remember, rememberDenied, detail } = full
    const left = { effect, reason, guard, notices, remember, rememberDenied, detail }
    expect(await found(full, { trusted: false })).toEqual({ hook: 'hook', hookIndex: 0, ...left })
    expect(await found({ effect: 'deny' }, { trusted: false })).toEqual({
      ...{ hook: 'hook', hookIndex: 0, effect: 'deny' },
    })
  })

  it('cannot be an allow that was not granted; its notices stay', async () => {
    expect(await found({ effect: 'allow', notices: ['n'] })).toMatchObject({
      effect: 'pass',
      notices: ['n', ALLOWS],
    })
    expect(await found({ effect: 'allow' })).toMatchObject({ effect: 'pass', notices: [ALLOWS] })
    expect(await found({ effect: 'allow' }, { grants: true })).toMatchObject({ effect: 'allow' })
  })

  it('must be an effect that exists', async () => {
    const message = 'answered with the unknown effect "maybe"'
    expect(await found({ effect: 'maybe' })).toMatchObject({
      effect: 'deny',
      failed: { failure: 'invalidOutput', message },
    })
  })

  const tool = { name: 'Bash', input: {} }
  test.each<[Event, boolean, boolean]>([
    [bash('ls'), true, false],
    [eventOf('PermissionRequest', { tool }), true, false],
    [eventOf('PostToolUse', { tool, output: '' }), false, true],
    [eventOf('PostToolUseFailure', { tool, error: '' }), false, true],
    [eventOf('Stop'), false, false],
  ])('at $kind may change the input: %s, the output: %s', async (event, input, output) => {
    for (const [key, isKept] of [
      ['rewrite', input],
      ['output', output],
    ] as const) {
      const finding = await found(
        { effect: 'pass', notices: ['n'], [key]: { a: 1 } },
        { rewrites: true },
        event,
      )
      expect([key, finding !== undefined && key in finding]).toEqual([key, isKept])
      const notice = `hook tried to change a tool call at ${event.kind}, which has no tool call to change. The change was ignored.`
      expect(finding?.notices).toEqual(isKept ? ['n'] : ['n', notice])
    }
  })
})

describe('a hook that failed', () => {
  const failure: Failure = { failure: 'crash', message: 'broken' }
  const untrusted: Failure = { failure: 'untrusted', message: 'it has changed' }

  test.each<[Failure, 'deny' | 'ask' | 'pass', object]>([
    [
      failure,
      'deny',
      {
        reason: expect.stringMatching(
          /^Holdpoint blocked this: hook hook could not answer \(crash: broken\), and its failure policy is "deny"\. Tell/,
        ),
        question: expect.stringMatching(/^Holdpoint blocked this: .* "deny"\.$/),
      },
    ],
    [
      failure,
      'ask',
      {
        reason: expect.stringMatching(/^Holdpoint asks first: .* "ask"\. Tell/),
        question: expect.stringMatching(/^Holdpoint asks first: .* "ask"\.$/),
      },
    ],
    [
      failure,
      'pass',
      { notices: ['hook hook could not answer (crash: broken); its failure policy allows the call.'] },
    ],
    [
      untrusted,
      'pass',
      { notices: ['hook hook did not run, because it is not trusted (it has changed). The call continues.'] },
    ],
    [
      untrusted,
      'deny',
      {
        reason: expect.stringContaining(
          'hook hook did not run, because it is not trusted (it has changed), and',
        ),
        question: expect.any(String),
      },
    ],
  ])('%j with the policy %s says so', async (failed, policy, said) => {
    const finding = await found(failed, { onFailure: onFailureOf(policy) })
    expect(finding).toEqual({ hook: 'hook', hookIndex: 0, effect: policy, failed, ...said })
  })

  it('after a number of attempts has the effect that its policy ends with', async () => {
    const onFailure = onFailureOf({ retry: 2, then: 'ask' })
    expect(await found(failure, { onFailure })).toMatchObject({ effect: 'ask', failed: failure })
  })

  it('is tried again only as long as its time lasts', async () => {
    const { engine } = await engineOf([
      { run: () => null, timeoutMs: 10, onFailure: { retry: 9, then: 'deny' } },
    ])
    let runs = 0
    let nowMs = 0
    const run = () => ((runs += 1), (nowMs += 4), failure)
    const tried = (now: () => number) => {
      runs = 0
      nowMs = 0
      return evaluate({ ...engine, runners: [run] }, bash('ls'), around(bash('ls'), { now }))
    }
    await tried(() => 0)
    expect(runs).toBe(10)
    await tried(() => nowMs)
    expect(runs).toBeLessThan(10)
  })

  it('was never prepared, if the engine has no runner for it', async () => {
    const { engine } = await engineOf([{ run: () => null }])
    const decision = await evaluate({ ...engine, runners: [] }, bash('ls'), around(bash('ls')))
    expect(decision.failed).toEqual([
      {
        hook: 'hook-0',
        failure: { failure: 'import', message: 'the hook was not prepared' },
        became: 'deny',
      },
    ])
  })
})

describe('what was thrown', () => {
  const endless = {
    toString: () => {
      throw new Error('again')
    },
  }
  test.each<[string, unknown, string]>([
    ['an error', new Error('broken'), 'broken'],
    ['a text', 'text', 'text'],
    ['nothing', undefined, 'undefined'],
    ['a long text', 'x'.repeat(10_001), 'x'.repeat(10_000)],
    ['something without a text', endless, 'it threw a value that cannot be shown as text'],
  ])('is shown: %s', (_what, thrown, text) => {
    expect([thrownText(thrown), crash(thrown)]).toEqual([text, { failure: 'crash', message: text }])
  })
})

describe('something that a hook asked for and that could not be done', () => {
  const failed: Failure = { failure: 'state', message: 'full' }
  const wished = { remember: [], rememberDenied: [], files: [] } as const
  const finding = (effect: Finding['effect'], more: Partial<Finding> = {}): Finding => ({
    ...{ hook: 'hook', hookIndex: 4, effect, reason: 'mine', notices: ['n'] },
    ...wished,
    ...more,
  })
  const afterwards = (of: Finding, policy: 'deny' | 'ask' | 'pass') =>
    failedAfterwards(hookOf({ onFailure: onFailureOf(policy) }), of, failed)

  it('counts if the policy is stricter than the answer', () => {
    const stricter = afterwards(finding('ask', { round: 2 }), 'deny')
    expect(stricter).toMatchObject({ hook: 'hook', hookIndex: 4, round: 2, effect: 'deny', failed })
    expect(stricter.reason).toContain('could not answer (state: full)')
    expect(afterwards(finding('pass'), 'pass')).toMatchObject({ effect: 'pass', failed })
    expect(afterwards(finding('pass'), 'pass')).not.toHaveProperty('round')
    expect(afterwards({ hook: 'hook', effect: 'pass' }, 'ask').hookIndex).toBe(0)
  })

  it('leaves a stricter answer as it was, without what could not be done', () => {
    expect(afterwards(finding('deny'), 'ask')).toEqual({
      ...{ hook: 'hook', hookIndex: 4, effect: 'deny', reason: 'mine', notices: ['n'], failed },
    })
    const passing = afterwards(finding('deny'), 'pass').notices
    expect(passing).toEqual(['n', expect.stringContaining('its failure policy allows the call')])
    expect(afterwards({ hook: 'hook', effect: 'deny' }, 'deny').notices).toEqual([])
  })
})
