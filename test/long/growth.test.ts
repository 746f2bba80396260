import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleInto, countWork } from '../growth/count.ts'
import type { Dimension } from '../growth/dimension.ts'
import { DIMENSIONS } from '../growth/dimensions.ts'
import { breachOf, type Point } from '../growth/law.ts'

/** The laws of test/growth up to 10,000 rules, hooks and sessions, and 100,000 records. */
const longer = DIMENSIONS.filter(({ more }) => more !== undefined)
const sizesOf = ({ sizes, more = [] }: Dimension) => [...sizes, ...more]

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-growth-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let curves: ReadonlyMap<string, readonly Point[]>
beforeAll(async () => {
  await bundleInto(folder, 'dimensions')
  curves = await countWork(folder, longer, sizesOf)
})

it.each(longer)('$id: to $does is $law in the number of $unit', (dimension) => {
  const points = curves.get(dimension.id) ?? []
  expect(points.map(({ size }) => size)).toEqual(sizesOf(dimension))
  expect(breachOf(dimension.law, points)).toBeUndefined()
})
