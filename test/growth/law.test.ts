import { describe, expect, it } from 'vitest'
import { breachOf, type Law, type Point } from './law.ts'

describe('a law', () => {
  const curveOf = (work: (size: number) => number): readonly Point[] =>
    [10, 100, 1_000, 10_000].map((size) => ({ size, work: work(size) }))
  const curves = {
    flat: curveOf(() => 50),
    logarithmic: curveOf((size) => 100 * Math.log10(size)),
    linear: curveOf((size) => 500 + 3 * size),
    'n log n': curveOf((size) => size * Math.log10(size)),
    quadratic: curveOf((size) => size * size),
    cubic: curveOf((size) => size ** 3),
  }
  const order = Object.keys(curves)

  it.each<[Law]>([['flat'], ['logarithmic'], ['linear'], ['quadratic']])(
    '%s accepts what grows no faster, and nothing else',
    (law) => {
      for (const [name, points] of Object.entries(curves)) {
        const accepts = breachOf(law, points) === undefined
        expect([name, accepts]).toEqual([name, order.indexOf(name) <= order.indexOf(law)])
      }
    },
  )

  it.each<[string, readonly Point[], string]>([
    ['two sizes', curves.flat.slice(2), 'three sizes'],
    ['sizes that are close together', [10, 20, 30].map((size) => ({ size, work: 1 })), 'not ten times'],
    ['no work', curveOf(() => 0), 'no work was counted'],
    ['work that is no number', curveOf(() => Number.NaN), 'no work was counted'],
  ])('cannot be shown by %s', (_, points, why) => {
    expect(breachOf('linear', points)).toContain(why)
  })
})
