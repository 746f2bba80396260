import { expect, test } from 'vitest'
import { cyclesIn, importsByFolder } from '../../scripts/house-graph.mjs'
import { countsForNames } from '../../scripts/house-names.mjs'
import { readTree } from './tree.ts'

const below = (path: string) => path.replace(/^src\//, '')
const texts = [...readTree(['src'], (path) => countsForNames(below(path)))].map(
  ([path, text]) => [below(path), text] as const,
)

// Rooms inside of folders have an order too, and it allows what would be a cycle of the folders themselves.
test('no folder of src imports itself through others', () => {
  const graph = importsByFolder(texts)
  expect(graph.size).toBeGreaterThan(10)
  expect(cyclesIn(graph)).toEqual([])
})

test('a cycle through rooms of two folders is found', () => {
  const seeded = [
    ['daemon/worker.ts', "import { a } from '../tools/audit/end.ts'"],
    ['tools/board/link.ts', "import type { b } from '../../daemon/link.ts'"],
  ] as const
  expect(cyclesIn(importsByFolder(seeded))).toEqual(['daemon', 'tools'])
})
