import { expect, it } from 'vitest'
import { isInRange } from './version-range.ts'

it.each([
  ['0.2.0', '*', true],
  ['0.2.0', '>=0.2.0', true],
  ['0.2.0', '>= 0.2', true],
  ['0.2.0', '>=0.3.0', false],
  ['0.2.5', '^0.2.0', true],
  ['0.3.0', '^0.2.0', false],
  ['0.0.4', '^0.0.3', false],
  ['1.9.0', '^1.2.3', true],
  ['2.0.0', '^1.2.3', false],
  ['1.2.9', '~1.2.3', true],
  ['1.3.0', '~1.2.3', false],
  ['1.4.0', '1.x', true],
  ['1.4.0', '1.4', true],
  ['1.4.0', '1.5', false],
  ['1.4.0', '1.4.0', true],
  ['1.4.0', '>=1 <3', true],
  ['3.0.0', '>=1 <3', false],
  ['3.0.0', '^1.0.0 || >2.9.0', true],
  ['3.0.0', '<=2.9.0', false],
  ['0.2.0', 'newest', undefined],
  ['0.2.0', '', true],
])('%s in %s: %s', (version, range, expected) => {
  expect(isInRange(version, range)).toBe(expected)
})
