import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleInto, countWork } from './count.ts'
import type { Dimension } from './dimension.ts'
import { DIMENSIONS } from './dimensions.ts'
import { breachOf, type Law, type Point } from './law.ts'
import { DIMENSIONS as WORSE } from './worse.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-growth-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Only Linux says how many bytes a process has read and written. */
const canCount = ({ counts }: Dimension) => counts === 'steps' || process.platform === 'linux'

/** With more and larger sizes in test/long/growth.test.ts. */
describe('the work of Holdpoint', () => {
  const everyday = DIMENSIONS.filter(({ sizes }) => sizes.length >= 3)
  let curves: ReadonlyMap<string, readonly Point[]>
  beforeAll(async () => {
    await bundleInto(join(folder, 'own'), 'dimensions')
    curves = await countWork(join(folder, 'own'), everyday.filter(canCount), ({ sizes }) => sizes)
  })

  for (const dimension of everyday) {
    const { id, does, law, unit } = dimension
    it.runIf(canCount(dimension))(`${id}: to ${does} is ${law} in the number of ${unit}`, () => {
      expect(breachOf(law, curves.get(id) ?? [])).toBeUndefined()
    })
  }
})

describe('work that grows faster than its law', () => {
  let curves: ReadonlyMap<string, readonly Point[]>
  beforeAll(async () => {
    await bundleInto(join(folder, 'worse'), 'worse')
    curves = await countWork(join(folder, 'worse'), WORSE.filter(canCount), ({ sizes }) => sizes)
  })

  for (const dimension of WORSE) {
    const { id, law } = dimension
    it.runIf(canCount(dimension))(`is counted and refused: ${id}`, () => {
      expect(breachOf(law, curves.get(id) ?? [])).toContain(`not ${law}`)
    })
  }
})

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
