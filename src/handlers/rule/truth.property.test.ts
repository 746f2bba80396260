import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Facts } from '../../core/facts.ts'
import type { RuleCondition } from '../../core/rule.ts'
import { bash, frozenFacts } from '../../library/testing/events.ts'
import { compileCondition } from './conditions.ts'
import type { RuleInput } from './rule-input.ts'
import { allOf, andTruth, anyOf, not, orTruth, type Truth } from './truth.ts'

const truth = fc.constantFrom<Truth>('no', 'maybe', 'yes')
const same = (value: Truth) => value

describe('three-valued logic', () => {
  it('follows De Morgan’s laws, and a double negation cancels out', () => {
    fc.assert(
      fc.property(truth, truth, (a, b) => {
        expect(not(andTruth(a, b))).toBe(orTruth(not(a), not(b)))
        expect(not(orTruth(a, b))).toBe(andTruth(not(a), not(b)))
        expect(not(not(a))).toBe(a)
        expect(andTruth(a, b)).toBe(andTruth(b, a))
        expect(orTruth(a, andTruth(a, b))).toBe(a)
      }),
    )
  })

  it('joins lists as it joins pairs, in any order', () => {
    fc.assert(
      fc.property(fc.array(truth), (list) => {
        expect(allOf(list, same)).toBe(list.reduce<Truth>(andTruth, 'yes'))
        expect(anyOf(list, same)).toBe(list.reduce<Truth>(orTruth, 'no'))
        expect(allOf(list.toReversed(), same)).toBe(allOf(list, same))
        expect(not(anyOf(list, same))).toBe(allOf(list, (each) => not(each)))
      }),
    )
  })
})

/** Conditions over eight events that were seen, not seen, or may have been. */
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
const condition: fc.Arbitrary<RuleCondition> = fc.letrec<{ node: RuleCondition; leaf: RuleCondition }>(
  (tie) => ({
    leaf: fc.constantFrom(...KEYS).map((key): RuleCondition => ({ kind: 'seen', key })),
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('leaf'),
      tie('node').map((of): RuleCondition => ({ kind: 'not', of })),
      fc
        .tuple(fc.constantFrom('all' as const, 'any' as const), fc.array(tie('node'), { maxLength: 4 }))
        .map(([kind, of]): RuleCondition => ({ kind, of })),
    ),
  }),
).node
const world = fc.record(Object.fromEntries(KEYS.map((key) => [key, truth])) as Record<string, typeof truth>)

const NO_ENGINE = { compile: () => () => false }

function judged(of: RuleCondition, seen: Readonly<Record<string, Truth>>): Truth {
  const memory = Object.fromEntries(Object.entries(seen).filter(([, kept]) => kept !== 'no'))
  const facts: Facts = frozenFacts()
  const ruleInput = { event: bash('ls'), facts, memory } as unknown as RuleInput
  return compileCondition(of, NO_ENGINE)(ruleInput).truth
}

/** Computed independently of the code under test. */
function expected(of: RuleCondition, seen: Readonly<Record<string, Truth>>): Truth {
  const order: readonly Truth[] = ['no', 'maybe', 'yes']
  const values = (list: readonly RuleCondition[]) => list.map((each) => order.indexOf(expected(each, seen)))
  switch (of.kind) {
    case 'not':
      return order[2 - order.indexOf(expected(of.of, seen))] ?? 'maybe'
    case 'all':
      return order[Math.min(2, ...values(of.of))] ?? 'maybe'
    case 'any':
      return order[Math.max(0, ...values(of.of))] ?? 'maybe'
    case 'seen':
      return seen[of.key] ?? 'no'
    default:
      return 'maybe'
  }
}

describe('conditions', () => {
  it('have the meaning of their names', () => {
    fc.assert(fc.property(condition, world, (of, seen) => judged(of, seen) === expected(of, seen)))
  })

  it('a `not` around any of them turns a yes into a no, a no into a yes, and a maybe into itself', () => {
    fc.assert(
      fc.property(
        condition,
        world,
        (of, seen) => judged({ kind: 'not', of }, seen) === not(judged(of, seen)),
      ),
    )
  })

  it('if less is known, a yes may become a maybe but never a no, so no deny becomes a pass', () => {
    fc.assert(
      fc.property(condition, world, fc.subarray([...KEYS]), (of, seen, forgotten) => {
        const before = judged(of, seen)
        const after = judged(of, { ...seen, ...Object.fromEntries(forgotten.map((key) => [key, 'maybe'])) })
        expect([before, 'maybe']).toContain(after)
      }),
    )
  })

  it('without any memory nothing that depends on it is certain', () => {
    fc.assert(
      fc.property(condition, (of) => {
        const facts = frozenFacts()
        const ruleInput = { event: bash('ls'), facts, memory: undefined } as unknown as RuleInput
        const unknown = compileCondition(of, NO_ENGINE)(ruleInput).truth
        const all = Object.fromEntries(KEYS.map((key) => [key, 'maybe' as const]))
        expect(unknown).toBe(judged(of, all))
      }),
    )
  })
})
