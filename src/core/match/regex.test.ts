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

  test.each<[string, string]>([
    ['a)b', 'is not a valid regex: unexpected ), at character 2.'],
    ['ab(c', 'is not a valid regex: missing closing ), at character 3.'],
    ['(a)(b', 'is not a valid regex: missing closing ), at character 4.'],
    ['a[)]b)', 'is not a valid regex: unexpected ), at character 6.'],
    ['a\\(b)', 'is not a valid regex: unexpected ), at character 5.'],
    ['ab[b-a]c', 'is not a valid regex: invalid character class range at `b-a`, character 4.'],
    ['[b-a]c[b-a]', 'is not a valid regex: invalid character class range at `b-a`.'],
    [
      '(?=(a+)+$)b',
      'uses look-around or a back-reference together with repeats that could take forever; simplify it.',
    ],
    ['\\Qa', 'uses `\\Q`; escape each character with `\\` instead.'],
    [`${'a{999}'.repeat(5)}a`, 'repeats too much: it would be too large to run.'],
  ])('says what is wrong with %j, and where', (source, why) => {
    expect(checkRegex(source)).toMatchObject({
      problem: { code: 'CONFIG_MATCHER', message: `The pattern \`${source}\` ${why}` },
    })
  })

  test('shows sixty characters of a pattern', () => {
    const messageOf = (source: string) => {
      const checked = checkRegex(source)
      return checked.ok ? '' : checked.problem.message
    }
    expect(messageOf(`${'y'.repeat(59)}(`)).toContain(`\`${'y'.repeat(59)}(\``)
    expect(messageOf(`${'y'.repeat(60)}(`)).toContain(`\`${'y'.repeat(60)}...\``)
  })

  test('says what JavaScript does not read in a regex of another program', () => {
    expect(checkRegex('(?i)x', 'javascript')).toMatchObject({
      problem: { message: 'The pattern `(?i)x` is not a valid regex: invalid group.' },
    })
  })

  test('accepts five thousand instructions', () => {
    expect(checkRegex('a{999}'.repeat(5))).toEqual({ ok: true, value: 'linear' })
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

  /** From one position, of which a word of 128 characters has 129. */
  test.each<[string, number]>([
    ['', 0],
    ['abc', 3],
    ['a|b', 3],
    ['a|b|c', 5],
    ['(a)', 3],
    ['(a', 3],
    ['a)b', 2],
    ['[ab]c', 2],
    ['[a\\]b]c', 2],
    ['[a]]c', 3],
    ['\\w\\0', 2],
    ['\\1', 128],
    ['\\k<n>', 131],
    // What follows is tried again for each way through what is before.
    ['a?', 2],
    ['a?b', 4],
    ['a*', 129],
    ['a*b', 258],
    ['a+b', 257],
    ['a{0}b', 2],
    ['a{3}b', 5],
    ['a{2,4}b', 8],
    ['a{2,}b', 256],
    ['a{200}', 201],
    ['(a|b)c', 7],
    ['(?:a)c', 5],
    // A look-around is tried in one way.
    ['(?=a|b)c', 6],
    ['(?!a|b)c', 6],
    ['(?<=a|b)c', 6],
    ['(?<!a|b)c', 6],
    ['(a|b)?c', 25],
    ['(a|b){2}c', 73],
    ['(a|b){99999}', Number.POSITIVE_INFINITY],
  ])('%j takes %d steps', (source, steps) => {
    expect(regexCost(source).steps).toBe(steps * 129)
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
