import { expect, test } from 'vitest'
import { countsForNames, SHARED_NAMES, sharedNames } from '../../scripts/house-names.mjs'
import { readTree } from './tree.ts'

const texts = [...readTree(['src'], (path) => countsForNames(path.replace(/^src\//, '')))]

test('an exported name has one meaning, or a reason to have several', () => {
  expect(texts.length).toBeGreaterThan(500)
  const unexplained = [...sharedNames(texts)].filter(([name]) => !SHARED_NAMES.has(name))
  expect(unexplained, 'rename one, or give the reason in scripts/house-names.mjs').toEqual([])
})

test('at most 20 names are shared, and each is still needed', () => {
  expect(SHARED_NAMES.size).toBeLessThanOrEqual(20)
  const shared = sharedNames(texts)
  expect([...SHARED_NAMES.keys()].filter((name) => !shared.has(name))).toEqual([])
})

test('a name that two files export is found, whatever it names', () => {
  const found = sharedNames([
    ['a.ts', 'export interface Place {}\nexport const once = 1\n'],
    ['b.ts', 'export async function Place() {}\nconst once = 2\n'],
  ])
  expect([...found]).toEqual([['Place', ['a.ts', 'b.ts']]])
})
