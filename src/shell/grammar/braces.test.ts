import { describe, expect, it } from 'vitest'
import { BRACES_MAX, expandBraces } from './braces.ts'

// The right-hand sides were checked against bash 5.2.
describe('expandBraces', () => {
  it.each([
    ['a', ['a']],
    ['{a,b}', ['a', 'b']],
    ['x{a,b}y', ['xay', 'xby']],
    ['{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd']],
    ['{a,b{c,d}}x', ['ax', 'bcx', 'bdx']],
    ['.env{,.local}', ['.env', '.env.local']],
    ['{1..4}', ['1', '2', '3', '4']],
    ['{4..1..2}', ['4', '2']],
    ['{01..03}', ['01', '02', '03']],
    ['{a..c}', ['a', 'b', 'c']],
    ['{a}', ['{a}']],
    ['{a,b', ['{a,b']],
    ['{{a,b}', ['{a', '{b']],
    ['"{a,b}"', ['"{a,b}"']],
    ['{a,"b,c"}', ['a', '"b,c"']],
    ['{$(ls a,b),c}', ['$(ls a,b)', 'c']],
    ['\\{a,b}', ['\\{a,b}']],
    ['{a\\,b,c}', ['a\\,b', 'c']],
    [`\${x,y}{a,b}`, [`\${x,y}a`, `\${x,y}b`]],
  ])('%s', (source, words) => {
    expect(expandBraces(source)).toEqual(words)
  })

  it.each([
    ['too many by product', '{a,b}'.repeat(8)],
    ['too many in a range', '{1..1000000000}'],
    ['too long', `{a,${'b'.repeat(3000)}}`],
  ])('gives up on %s', (_name, source) => {
    expect(expandBraces(source)).toBeUndefined()
  })

  it(`still makes ${BRACES_MAX} words`, () => {
    expect(expandBraces(`{1..${BRACES_MAX}}`)).toHaveLength(BRACES_MAX)
  })
})
