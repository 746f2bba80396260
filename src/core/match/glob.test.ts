import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { globMatcher, parseGlob } from './glob.ts'

function matches(glob: string, word: string): boolean {
  const parsed = parseGlob(glob)
  if (!parsed.ok) throw new Error(parsed.problem.message)
  return globMatcher(parsed.value)(word)
}

/** The obvious recursive definition: exponential, but easy to verify. */
function naive(glob: readonly string[], word: readonly string[]): boolean {
  const [first, ...rest] = glob
  if (first === undefined) return word.length === 0
  if (first === '*') return naive(rest, word) || (word.length > 0 && naive(glob, word.slice(1)))
  if (word.length === 0) return false
  const fits =
    first === '?' ||
    first === word[0] ||
    (first === '[ab]' && 'ab'.includes(word[0] ?? '')) ||
    (first === '[!ab]' && !'ab'.includes(word[0] ?? ''))
  return fits && naive(rest, word.slice(1))
}

describe('glob', () => {
  test.each<[string, string, boolean]>([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['?', '', false],
    ['?', 'é', true],
    ['?', '😀', true],
    ['[!a]', '😀', true],
    ['[a-c]x', 'bx', true],
    ['[a-c]x', 'dx', false],
    ['[a-cx]', 'x', true],
    ['[a-cx-z]', 'z', true],
    ['[a-cx-z]', 'w', false],
    ['[a-a]', 'a', true],
    ['[!a-c]x', 'dx', true],
    ['[!a-c]x', 'ax', false],
    ['[]]', ']', true],
    ['[!]]', ']', false],
    ['[!]]', 'a', true],
    ['[a-]', '-', true],
    ['[-a]', '-', true],
    ['[^a]', '^', true],
    ['[^a]', 'b', false],
    ['[*]', '*', true],
    ['[*]', 'a', false],
    ['a**b', 'ab', true],
    ['a*b*c', 'aXbXbc', true],
    ['a*b*c', 'aXbXbcd', false],
    ['*.*', 'a.b', true],
    ['a.c', 'abc', false],
    ['\\*', '\\x', true],
    ['a]', 'a]', true],
  ])('%j on %j: %j', (glob, word, expected) => {
    expect(matches(glob, word)).toBe(expected)
  })

  test('agrees with the naive matcher', () => {
    const part = fc.constantFrom('*', '?', 'a', 'b', 'c', '[ab]', '[!ab]')
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 10 }),
        (glob, word) => {
          expect(matches(glob.join(''), word.join(''))).toBe(naive(glob, word))
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('a glob of a thousand stars does not take exponential time', () => {
    const word = 'a'.repeat(50_000)
    expect(matches(`${'*a'.repeat(1000)}*b`, word)).toBe(false)
    expect(matches('*a'.repeat(1000), word)).toBe(true)
    expect(matches(`*${'a'.repeat(1000)}b`, word)).toBe(false)
    expect(matches('*'.repeat(1000), word)).toBe(true)
    expect(matches('?*'.repeat(1000), word)).toBe(true)
  })
})
