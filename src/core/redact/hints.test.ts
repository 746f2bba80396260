import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLIENT_HINT } from './client-hint.ts'
import { clients } from './clients.ts'
import { SHAPE_HINT, SHAPES } from './shapes.ts'

/** What the patterns look for is generated from the patterns: whatever one of them finds, its hint must have found. */
describe('a hint misses nothing', () => {
  it.each(SHAPES.map(({ pattern }) => [pattern.source, pattern] as const))('%s', (_, pattern) => {
    fc.assert(
      fc.property(matchOf(pattern), (text) => {
        expect(SHAPE_HINT.test(text)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  const list = clients().map(({ words, shape }) => [shape().pattern.source, shape().pattern, words] as const)
  it.each(list)('%s', (_, pattern, words) => {
    fc.assert(
      fc.property(matchOf(pattern), (text) => {
        expect(CLIENT_HINT.test(text)).toBe(true)
        expect(words.some((word) => text.toLowerCase().includes(word))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})

/** A text in which the pattern finds something. The generator knows no neighbours: they are left out, then checked. */
function matchOf(pattern: RegExp): fc.Arbitrary<string> {
  const source = pattern.source
    .replace(/\(\?<?[!=](?:[^()[\]\\]|\\.|\[(?:[^\]\\]|\\.)*\])*\)|\\b/g, '')
    .replace(/\{(\d+),(\d{3,})\}/g, (_, least: string) => `{${least},${Number(least) + 20}}`)
  const found = new RegExp(pattern.source, pattern.flags.replace('g', ''))
  return fc.stringMatching(new RegExp(`^(?:${source})$`)).filter((text) => found.test(text))
}
