import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { combine, NO_OPINION, stricter } from './combine.ts'
import { EFFECTS, type Finding } from './decision.ts'

const effect = fc.constantFrom(...EFFECTS)
const finding: fc.Arbitrary<Finding> = fc.record(
  {
    hook: fc.constantFrom('a', 'b', 'c', 'd'),
    order: fc.nat(20),
    effect,
    reason: fc.string({ maxLength: 5 }),
    notices: fc.array(fc.string({ maxLength: 5 }), { maxLength: 2 }),
  },
  { requiredKeys: ['hook', 'order', 'effect'] },
)
/** One finding per place in the plan, as evaluate yields them. */
const findings = fc.uniqueArray(finding, { selector: (each) => each.order, maxLength: 8 })

describe('the laws of combine', () => {
  it('does not depend on the order of finishing (R-000-50)', () => {
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

  it('is never weakened by one more finding', () => {
    fc.assert(
      fc.property(findings, finding, (all, more) => {
        const before = combine(all).effect
        expect(stricter(before, combine([...all, more]).effect)).toBe(combine([...all, more]).effect)
      }),
    )
  })

  it('says allow only if a finding said allow and none was stricter', () => {
    fc.assert(
      fc.property(findings, (all) => {
        const allowed = combine(all).effect === 'allow'
        const said = all.some((each) => each.effect === 'allow')
        const contradicted = all.some((each) => each.effect === 'ask' || each.effect === 'deny')
        expect(allowed).toBe(said && !contradicted)
      }),
    )
  })

  it('names exactly the deciding hooks, and only their reasons', () => {
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
  it('has no opinion where nobody spoke', () => {
    expect(combine([])).toBe(NO_OPINION)
  })

  it('keeps the rewrite of the last rewriter, who saw all earlier ones', () => {
    const decision = combine([
      { hook: 'late', order: 5, effect: 'pass', rewrite: { command: 'b' } },
      { hook: 'early', order: 1, effect: 'pass', rewrite: { command: 'a' } },
    ])
    expect(decision.rewrite).toEqual({ command: 'b' })
  })

  it('collects context and notices of everybody, in plan order', () => {
    const decision = combine([
      { hook: 'two', order: 2, effect: 'pass', notices: ['second'], context: [{ text: 'y', to: 'self' }] },
      { hook: 'one', order: 1, effect: 'deny', notices: ['first'], context: [{ text: 'x', to: 'self' }] },
    ])
    expect(decision.notices).toEqual(['first', 'second'])
    expect(decision.context.map((each) => each.text)).toEqual(['x', 'y'])
  })

  it('lists what failed and what that became', () => {
    const failed = { failure: 'timeout', message: 'late' } as const
    const decision = combine([{ hook: 'slow', order: 0, effect: 'deny', failed }])
    expect(decision.failed).toEqual([{ hook: 'slow', failure: failed, became: 'deny' }])
  })
})
