import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wordList } from '../word-list.ts'
import { checkRegex, isLinear, linearEngine } from './regex.ts'
import { regexCost } from './regex-cost.ts'

describe('checkRegex', () => {
  test.each<[string, 'linear' | 'backtracking' | 'refused', 'linear' | 'backtracking' | 'refused']>([
    // source, our own reading, JavaScript's reading
    ['^Ba.*$', 'linear', 'linear'],
    ['(a|b)+c{2,5}', 'linear', 'linear'],
    ['(a+)+$', 'linear', 'linear'],
    ['(?i)bash', 'linear', 'refused'],
    ['a(?=b)', 'backtracking', 'backtracking'],
    ['(?<!x)y', 'backtracking', 'backtracking'],
    ['(a)\\1', 'backtracking', 'backtracking'],
    ['^(?!.*(delete|remove)).*$', 'backtracking', 'backtracking'],
    ['[[:alpha:]]', 'linear', 'backtracking'],
    ['\\p{L}', 'linear', 'backtracking'],
    ['[]a]', 'linear', 'backtracking'],
    ['\\z', 'linear', 'backtracking'],
    ['(', 'refused', 'refused'],
    ['\\Qa\\E', 'refused', 'refused'],
    ['(a{1000}){6}', 'refused', 'refused'],
    ['((a{100}){100}){100}', 'refused', 'refused'],
    ['(?=(a+)+$)b', 'refused', 'refused'],
    ['(?=x)(a|a)*b', 'refused', 'refused'],
    ['(?=x).*.*.*.*.*y', 'refused', 'refused'],
    [`(?=x)${'(a|a)'.repeat(40)}b`, 'refused', 'refused'],
    [`(?=x)${'a?'.repeat(40)}${'a'.repeat(40)}`, 'refused', 'refused'],
  ])('%j: own %s, JavaScript %s', (source, own, javascript) => {
    expect(outcome(checkRegex(source))).toBe(own)
    expect(outcome(checkRegex(source, 'javascript'))).toBe(javascript)
    expect(isLinear(source)).toBe(own === 'linear')
  })

  test('a regex of another program means the same on the linear engine', () => {
    const piece = fc.constantFrom(
      ...wordList(String.raw`
        a b A _ . \d \w \b ^ $ [a-c] [^a] [] [a\]] \. \x41
        { } {,2} {1,2} {2} * + ? *? | ( ) (?: (?<n> (?= \1
        [[:alpha:]] \A \z \p{L} \pL \a \x{41} \01 , - [a[b]] (?i: \C
      `),
    )
    const letter = fc.constantFrom(...'abA_1-.{},2xpLz[]')
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.array(letter, { maxLength: 8 }),
        (parts, word) => {
          const source = parts.join('')
          fc.pre(outcome(checkRegex(source, 'javascript')) === 'linear')
          expect(linearEngine.compile(source)(word.join(''))).toBe(new RegExp(source).test(word.join('')))
        },
      ),
      { numRuns: 3000 },
    )
  })
})

describe('regexCost', () => {
  test.each<[string, number]>([
    ['abc', 3],
    ['a|b', 3],
    ['a{10}', 11],
    ['(a{10}){10}', 131],
    ['[abc]{5}', 6],
    ['a{3,}', 4],
    ['\\({4}', 5],
    ['\\pL', 21],
    ['[\\pL\\PN]', 41],
    [')a{9}', 10],
  ])('%j has size %i', (source, size) => {
    expect(regexCost(source).size).toBe(size)
  })

  test('one more repeat never lowers the estimate', () => {
    const piece = fc.constantFrom('a', '.', '[ab]', '(a|b)', '(?=a)', '\\1', 'a*', '(ab)+', 'a{2,3}', '|')
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('*', '+', '?', '{3}'),
        (parts, more) => {
          const inside = regexCost(parts.join(''))
          const outside = regexCost(`(${parts.join('')})${more}`)
          expect(outside.size).toBeGreaterThanOrEqual(inside.size)
          expect(outside.steps).toBeGreaterThanOrEqual(inside.steps)
        },
      ),
    )
  })
})

function outcome(result: ReturnType<typeof checkRegex>): string {
  return result.ok ? result.value : 'refused'
}
