import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Facts } from '../../facts.ts'
import { bash, frozenFacts } from '../../testing/events.ts'
import type { Condition } from '../rule.ts'
import { compileCondition } from './conditions.ts'
import type { Scene } from './scene.ts'
import { allOf, anyOf, both, either, not, type Truth } from './truth.ts'

const truth = fc.constantFrom<Truth>('no', 'maybe', 'yes')
const same = (value: Truth) => value

describe('three-valued logic', () => {
  it('keeps the laws of De Morgan, and a double negation is none', () => {
    fc.assert(
      fc.property(truth, truth, (a, b) => {
        expect(not(both(a, b))).toBe(either(not(a), not(b)))
        expect(not(either(a, b))).toBe(both(not(a), not(b)))
        expect(not(not(a))).toBe(a)
        expect(both(a, b)).toBe(both(b, a))
        expect(either(a, both(a, b))).toBe(a)
      }),
    )
  })

  it('joins lists as it joins pairs, in any order', () => {
    fc.assert(
      fc.property(fc.array(truth), (list) => {
        expect(allOf(list, same)).toBe(list.reduce<Truth>(both, 'yes'))
        expect(anyOf(list, same)).toBe(list.reduce<Truth>(either, 'no'))
        expect(allOf(list.toReversed(), same)).toBe(allOf(list, same))
        expect(not(anyOf(list, same))).toBe(allOf(list, (each) => not(each)))
      }),
    )
  })
})

/** Conditions over eight events that were seen, not seen, or may have been. */
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
const condition: fc.Arbitrary<Condition> = fc.letrec<{ node: Condition; leaf: Condition }>((tie) => ({
  leaf: fc.constantFrom(...KEYS).map((key): Condition => ({ is: 'seen', key })),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    tie('node').map((of): Condition => ({ is: 'not', of })),
    fc
      .tuple(fc.constantFrom('all' as const, 'any' as const), fc.array(tie('node'), { maxLength: 4 }))
      .map(([is, of]): Condition => ({ is, of })),
  ),
})).node
const world = fc.record(Object.fromEntries(KEYS.map((key) => [key, truth])) as Record<string, typeof truth>)

const NO_ENGINE = { compile: () => () => false }

function judged(of: Condition, seen: Readonly<Record<string, Truth>>): Truth {
  const memory = Object.fromEntries(Object.entries(seen).filter(([, kept]) => kept !== 'no'))
  const facts: Facts = frozenFacts()
  const scene = { event: bash('ls'), facts, memory } as unknown as Scene
  return compileCondition(of, NO_ENGINE)(scene).truth
}

/** Computed by hand, without a word of the code under test. */
function expected(of: Condition, seen: Readonly<Record<string, Truth>>): Truth {
  const order: readonly Truth[] = ['no', 'maybe', 'yes']
  const values = (list: readonly Condition[]) => list.map((each) => order.indexOf(expected(each, seen)))
  switch (of.is) {
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
  it('mean what their words say', () => {
    fc.assert(fc.property(condition, world, (of, seen) => judged(of, seen) === expected(of, seen)))
  })

  it('a `not` around any of them turns a yes into a no, a no into a yes, and a maybe into itself', () => {
    fc.assert(
      fc.property(condition, world, (of, seen) => judged({ is: 'not', of }, seen) === not(judged(of, seen))),
    )
  })

  it('when less is known, a yes may become a maybe and never a no: no deny turns into a pass', () => {
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
        const scene = { event: bash('ls'), facts, memory: undefined } as unknown as Scene
        const unknown = compileCondition(of, NO_ENGINE)(scene).truth
        const all = Object.fromEntries(KEYS.map((key) => [key, 'maybe' as const]))
        expect(unknown).toBe(judged(of, all))
      }),
    )
  })
})
