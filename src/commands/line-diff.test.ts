import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DiffLine, lineDiff } from './line-diff.ts'

const SIGNS = { same: ' ', removed: '-', added: '+', gap: '~' } as const
const shown = (lines: readonly DiffLine[]) => lines.map(({ kind, text }) => `${SIGNS[kind]}${text}`)
const text = (...lines: string[]) => `${lines.join('\n')}\n`

describe('lineDiff', () => {
  it.each<[string, string, string, string[]]>([
    ['nothing', text('a', 'b'), text('a', 'b'), []],
    ['one line changed', text('a', 'b', 'c'), text('a', 'x', 'c'), [' a', '-b', '+x', ' c']],
    ['one added', text('a'), text('a', 'b'), [' a', '+b']],
    ['one removed', text('a', 'b'), text('b'), ['-a', ' b']],
    ['from nothing', '', text('a'), ['+a']],
    ['a missing newline at the end does not add a line', text('a'), 'a', []],
    [
      'lines far from a change are left out',
      text('1', '2', '3', '4', 'x', '5', '6', '7', '8'),
      text('1', '2', '3', '4', 'y', '5', '6', '7', '8'),
      ['~', ' 3', ' 4', '-x', '+y', ' 5', ' 6', '~'],
    ],
    ['two separate changes', text('a', 'm', 'z'), text('b', 'm', 'y'), ['-a', '+b', ' m', '-z', '+y']],
  ])('%s', (_name, before, after, lines) => {
    expect(shown(lineDiff(before, after))).toEqual(lines)
  })

  it('turns the first text into the second', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const all = lineDiff(text('x', 'y', ...before), text('x', 'y', ...after))
        const count = (kind: DiffLine['kind']) => all.filter((line) => line.kind === kind).length
        expect(before.length - count('removed') + count('added')).toBe(after.length)
        const removed = all.filter(({ kind }) => kind === 'removed').map((line) => line.text)
        expect(isWithin(removed, before)).toBe(true)
      }),
    )
  })

  it('is bounded for texts without common lines', () => {
    const long = (word: string) => Array.from({ length: 20_000 }, (_, i) => `${word}${i}`).join('\n')
    expect(lineDiff(long('a'), long('b'))).toHaveLength(40_000)
  })
})

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  let at = 0
  for (const each of all) if (each === some[at]) at += 1
  return at === some.length
}
