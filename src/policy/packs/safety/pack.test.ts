import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { guardContract } from '../guard.contract.ts'
import { pack } from './pack.ts'

/** Areas that have a test file each, so that the tens of thousands of command variants run in parallel. */
const APART = ['git', 'files', 'remote', 'system']

it.each(APART)('area %s has a test file', (area) => {
  expect(existsSync(new URL(`${area}/guards.test.ts`, import.meta.url))).toBe(true)
})

for (const guard of pack.guards) {
  if (!APART.some((area) => guard.id.startsWith(`safety/${area}/`))) guardContract(guard)
}
