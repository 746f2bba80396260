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
})
