import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { guardContract } from '../guard.contract.ts'
import { pack } from './pack.ts'

/** Areas with a test file of their own: tens of thousands of disguises are judged side by side. */
const APART = ['git', 'files', 'remote', 'system']

it.each(APART)('%s has a test file of its own', (area) => {
  expect(existsSync(new URL(`${area}/guards.test.ts`, import.meta.url))).toBe(true)
})

for (const guard of pack.guards) {
  if (!APART.some((area) => guard.id.startsWith(`safety/${area}/`))) guardContract(guard)
}
