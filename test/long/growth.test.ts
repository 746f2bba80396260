import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleInto, countWork } from '../growth/count.ts'
import type { Dimension } from '../growth/dimension.ts'
import { DIMENSIONS } from '../growth/dimensions.ts'
import { breachOf, type Point } from '../growth/law.ts'
import { DIMENSIONS as WORSE } from '../growth/worse.ts'

const sizesOf = ({ sizes, more = [] }: Dimension) => [...sizes, ...more]

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-growth-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Up to 10,000 rules, hooks and sessions, and 100,000 records. */
describe('the work of Holdpoint', () => {
  let curves: ReadonlyMap<string, readonly Point[]>
  beforeAll(async () => {
    await bundleInto(join(folder, 'own'), 'dimensions')
    curves = await countWork(join(folder, 'own'), DIMENSIONS, sizesOf)
  })

  it.each(DIMENSIONS)('$id: to $does is $law in the number of $unit', (dimension) => {
    const points = curves.get(dimension.id) ?? []
    expect(points.map(({ size }) => size)).toEqual(sizesOf(dimension))
    expect(breachOf(dimension.law, points)).toBeUndefined()
  })
})

describe('work that grows faster than its law', () => {
  let curves: ReadonlyMap<string, readonly Point[]>
  beforeAll(async () => {
    await bundleInto(join(folder, 'worse'), 'worse')
    curves = await countWork(join(folder, 'worse'), WORSE, ({ sizes }) => sizes)
  })

  it.each(WORSE)('is counted and refused: $id', ({ id, law }) => {
    expect(breachOf(law, curves.get(id) ?? [])).toContain(`not ${law}`)
  })
})
