import { describe, expect, it, test } from 'vitest'
import type { Decision, Finding } from '../decision.ts'
import { type Abilities, ALL_ABILITIES, NO_ABILITIES } from '../host.ts'
import { combine, NO_OPINION } from './combine.ts'
import { fitToHost, ONLY_A_WARNING } from './fit-to-host.ts'

const decided = (...findings: readonly Partial<Finding>[]): Decision =>
  combine(
    findings.map((each, hookIndex) => ({ hook: `rule-${hookIndex}`, hookIndex, effect: 'pass', ...each })),
  )
const able = (...what: readonly (keyof Abilities)[]): Abilities => ({
  ...NO_ABILITIES,
  ...Object.fromEntries(what.map((name) => [name, true])),
})
const texts = ({ reasons }: Decision) => reasons.map(({ text }) => text)

const ASK: Partial<Finding> = { effect: 'ask', reason: 'Is this wanted?', ifDenied: 'Run `holdpoint allow`.' }
const DENY: Partial<Finding> = { effect: 'deny', reason: 'No.', ifDenied: 'Never shown.' }
const REWRITE = { command: 'ls -a' }

const NO_QUESTION = 'ask to deny: this agent cannot ask at this event'
const NO_BLOCK = 'deny to notice: this agent does not let hooks block this event'
const NO_REWRITE = 'rewrite to deny: this agent can only change a call that a hook allowed'
const NO_OUTPUT = 'output: this agent cannot replace a tool output at this event'
const NO_USER = 'ask to deny: no user is asked in the mode auto'

describe('a decision that an agent can carry out', () => {
  test.each<[string, Decision]>([
    ['a pass', decided({ notices: ['n'], context: [{ text: 'c', to: 'self' }] })],
    ['an allow', decided({ effect: 'allow', reason: 'Fine.' })],
    ['a question', decided(ASK)],
    ['a deny', decided(DENY)],
    ['another input', decided({ rewrite: REWRITE })],
    ['another output', decided({ output: 'x' })],
    ['an end', decided({ halt: 'Enough.' })],
  ])('stays as it is: %s', (_what, decision) => {
    expect(fitToHost(decision, ALL_ABILITIES)).toStrictEqual(decision)
  })

  it('is the very same one if no hook had an opinion', () => {
    expect(fitToHost(NO_OPINION, NO_ABILITIES, 'auto')).toBe(NO_OPINION)
  })
})

describe('a question', () => {
  test.each<[string, Abilities, string | undefined, Decision['effect'], readonly string[]]>([
    ['where the agent asks its own', { ...able('deny'), ask: 'by-silence' }, undefined, 'ask', []],
    ['where it cannot ask is a deny', able('deny'), undefined, 'deny', [NO_QUESTION]],
    ['where it can do nothing is a warning', able(), undefined, 'pass', [NO_QUESTION, NO_BLOCK]],
    ['that nobody would answer is a deny', able('ask', 'deny'), 'auto', 'deny', [NO_USER]],
    [
      'that nobody would answer, where it cannot ask, is a deny for that reason',
      able('deny'),
      'auto',
      'deny',
      [NO_USER],
    ],
    // A deny would be obeyed as little, and the question might still be shown.
    ['that nobody would answer stays one, where hooks cannot block', able('ask'), 'auto', 'ask', []],
    [
      'that nobody would answer, where it can do nothing, is a warning',
      able(),
      'auto',
      'pass',
      [NO_QUESTION, NO_BLOCK],
    ],
  ])('%s', (_what, can, mode, effect, downgraded) => {
    const fitted = fitToHost(decided(ASK), can, mode)
    expect([fitted.effect, fitted.downgraded ?? []]).toEqual([effect, downgraded])
    const isForNobody = downgraded.includes(NO_USER)
    expect(texts(fitted)[0]).toMatch(
      isForNobody ? /^Is this wanted\? The user .*\(mode auto\)/ : /^Is this wanted\?$/,
    )
    // Who could have allowed it is told how, once it is a deny.
    expect(fitted.notices.includes('Run `holdpoint allow`.')).toBe(downgraded.length > 0)
  })
})

describe('a deny', () => {
  it('where hooks cannot block is a warning for the user, with all of its reasons', () => {
    const fitted = fitToHost(decided({ ...DENY, notices: ['n'] }, { ...DENY, reason: 'Never.' }), able('ask'))
    expect(fitted).toMatchObject({
      effect: 'pass',
      downgraded: [NO_BLOCK],
      notices: ['n', `${ONLY_A_WARNING} No.`, `${ONLY_A_WARNING} Never.`],
    })
  })

  it('that was never a question does not say how to allow it', () => {
    expect(fitToHost(decided(DENY), able('deny')).notices).toEqual([])
  })
})

describe('an allow', () => {
  it('where hooks grant nothing is no opinion', () => {
    const fitted = fitToHost(decided({ effect: 'allow', reason: 'Fine.' }), able('deny'))
    expect([fitted.effect, fitted.downgraded]).toEqual(['pass', undefined])
  })
})

describe('another input', () => {
  test.each<[string, Partial<Finding>, Abilities, Decision['effect'], readonly string[]]>([
    ['with a pass', {}, able('rewrite', 'deny'), 'pass', []],
    [
      'with an allow that counts',
      { effect: 'allow' },
      { ...able('allow'), rewrite: 'with-allow' },
      'allow',
      [],
    ],
    [
      'with a pass, where it needs an allow',
      {},
      { ...able('deny'), rewrite: 'with-allow' },
      'deny',
      [NO_REWRITE],
    ],
    [
      'with a question, where it needs an allow',
      ASK,
      { ...able('ask', 'deny'), rewrite: 'with-allow' },
      'deny',
      [NO_REWRITE],
    ],
    ['where the input cannot change', { effect: 'allow' }, able('allow', 'deny'), 'deny', [NO_REWRITE]],
    ['where nothing can be done', {}, able(), 'pass', [NO_REWRITE, NO_BLOCK]],
  ])('%s', (_what, finding, can, effect, downgraded) => {
    const fitted = fitToHost(decided({ ...finding, rewrite: REWRITE }), can)
    expect([fitted.effect, fitted.downgraded ?? []]).toEqual([effect, downgraded])
    if (downgraded.length === 0) expect(fitted.rewrite).toEqual(REWRITE)
    if (effect === 'deny') expect(fitted).not.toHaveProperty('rewrite')
  })

  it('that cannot be given tells the agent to call again with it, in the name of the last who changed it', () => {
    const decision = decided(
      { rewrite: { a: 1 } },
      { rewrite: REWRITE },
      { effect: 'allow', reason: 'Fine.' },
    )
    expect(fitToHost(decision, able('deny')).reasons).toEqual([
      {
        hook: 'rule-1',
        text: 'This call may only run with a changed input. Call the tool again with exactly this input: {"command":"ls -a"}',
      },
    ])
    const own = { ...decided({}), rewrite: REWRITE }
    expect(fitToHost(own, able('deny')).reasons[0]?.hook).toBe('holdpoint')
  })

  it('of a call that is denied is not passed on', () => {
    const fitted = fitToHost(decided(DENY, { rewrite: REWRITE }), able('deny'))
    expect([fitted.effect, 'rewrite' in fitted, fitted.downgraded, texts(fitted)]).toEqual([
      'deny',
      false,
      undefined,
      ['No.'],
    ])
  })
})

describe('another output', () => {
  it('that the agent cannot use is left out, and that is said', () => {
    const fitted = fitToHost(decided({ output: '' }), able('deny'))
    expect(['output' in fitted, fitted.downgraded]).toEqual([false, [NO_OUTPUT]])
    expect(fitToHost(decided({ notices: ['n'] }), able('deny')).downgraded).toBeUndefined()
  })
})
