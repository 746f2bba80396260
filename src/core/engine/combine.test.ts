import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EFFECTS, type Finding, stricter } from '../decision.ts'
import { combine, NO_OPINION } from './combine.ts'

const effect = fc.constantFrom(...EFFECTS)
const finding: fc.Arbitrary<Finding> = fc.record(
  {
    hook: fc.constantFrom('a', 'b', 'c', 'd'),
    hookIndex: fc.nat(20),
    effect,
    reason: fc.string({ maxLength: 5 }),
    notices: fc.array(fc.string({ maxLength: 5 }), { maxLength: 2 }),
  },
  { requiredKeys: ['hook', 'hookIndex', 'effect'] },
)
/** One finding for each position in the plan, as evaluate yields them. */
const findings = fc.uniqueArray(finding, { selector: (each) => each.hookIndex, maxLength: 8 })

describe('combine, for all inputs', () => {
  it('gives the same result in whatever order the hooks finish (R-000-50)', () => {
    fc.assert(
      fc.property(
        findings.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          expect(combine(shuffled)).toEqual(combine(all))
        },
      ),
    )
  })

  it('never becomes weaker when a finding is added', () => {
    fc.assert(
      fc.property(findings, finding, (all, more) => {
        const before = combine(all).effect
        expect(stricter(before, combine([...all, more]).effect)).toBe(combine([...all, more]).effect)
      }),
    )
  })

  it('answers allow only if a finding answered allow and none was stricter', () => {
    fc.assert(
      fc.property(findings, (all) => {
        const allowed = combine(all).effect === 'allow'
        const said = all.some((each) => each.effect === 'allow')
        const contradicted = all.some((each) => each.effect === 'ask' || each.effect === 'deny')
        expect(allowed).toBe(said && !contradicted)
      }),
    )
  })

  it('names exactly the deciding hooks, and gives only their reasons', () => {
    fc.assert(
      fc.property(findings, (all) => {
        const decision = combine(all)
        const deciding = decision.findings.filter((each) => each.effect === decision.effect)
        expect(decision.because).toEqual(decision.effect === 'pass' ? [] : deciding.map((each) => each.hook))
        for (const reason of decision.reasons) expect(decision.because).toContain(reason.hook)
      }),
    )
  })
})

describe('combine', () => {
  it('passes when there are no findings', () => {
    expect(combine([])).toBe(NO_OPINION)
  })

  it('keeps the rewrite of the last rewriter, which has seen all earlier ones', () => {
    const decision = combine([
      { hook: 'late', hookIndex: 5, effect: 'pass', rewrite: { command: 'b' } },
      { hook: 'early', hookIndex: 1, effect: 'pass', rewrite: { command: 'a' } },
    ])
    expect(decision.rewrite).toEqual({ command: 'b' })
  })

  it('collects context and notices of all findings, in plan order', () => {
    const decision = combine([
      {
        hook: 'two',
        hookIndex: 2,
        effect: 'pass',
        notices: ['second'],
        context: [{ text: 'y', to: 'self' }],
      },
      { hook: 'one', hookIndex: 1, effect: 'deny', notices: ['first'], context: [{ text: 'x', to: 'self' }] },
    ])
    expect(decision.notices).toEqual(['first', 'second'])
    expect(decision.context.map((each) => each.text)).toEqual(['x', 'y'])
  })

  it('lists the failed hooks and what their failures became', () => {
    const failed = { failure: 'timeout', message: 'late' } as const
    const decision = combine([{ hook: 'slow', hookIndex: 0, effect: 'deny', failed }])
    expect(decision.failed).toEqual([{ hook: 'slow', failure: failed, became: 'deny' }])
  })

  it('orders by round, then by the place in the plan; what Holdpoint added itself comes last', () => {
    const at = (hook: string, more: Partial<Finding> = {}): Finding => ({ hook, effect: 'pass', ...more })
    const ordered = (...all: readonly Finding[]) => combine(all).findings.map(({ hook }) => hook)
    const [one, two] = [at('one', { hookIndex: 1 }), at('two', { hookIndex: 2 })]
    const again = at('again', { hookIndex: 0, round: 2 })
    expect(ordered(again, two, one)).toEqual(['one', 'two', 'again'])
    expect(ordered(one, again, two)).toEqual(['one', 'two', 'again'])
    expect(ordered(at('own'), two, one)).toEqual(['one', 'two', 'own'])
    expect(ordered(one, at('own'), two)).toEqual(['one', 'two', 'own'])
    expect(ordered(at('own'), again)).toEqual(['again', 'own'])
    // Of two at the same place the first stays the first.
    expect(ordered(at('own'), at('other'))).toEqual(['own', 'other'])
    expect(ordered(two, at('same', { hookIndex: 1 }), one)).toEqual(['same', 'one', 'two'])
  })

  it('keeps the first end of the work, and the last output', () => {
    const decision = combine([
      { hook: 'a', hookIndex: 0, effect: 'pass', halt: 'first', output: 'x' },
      { hook: 'b', hookIndex: 1, effect: 'pass', halt: 'second', output: 'y' },
      { hook: 'c', hookIndex: 2, effect: 'pass' },
    ])
    expect([decision.halt, decision.output]).toEqual(['first', 'y'])
    const none = combine([{ hook: 'a', hookIndex: 0, effect: 'pass' }])
    for (const key of ['halt', 'output', 'rewrite']) expect(none).not.toHaveProperty(key)
    expect(none.failed).toEqual([])
  })
})
