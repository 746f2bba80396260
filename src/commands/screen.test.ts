import { describe, expect, it } from 'vitest'
import { fitted, foldedText, labelled, localTime, plural } from './screen.ts'

describe('text on a screen', () => {
  it('is wrapped between words, below where it began', () => {
    expect(foldedText('one two three four', '  ', 12)).toBe('  one two\n  three four')
    expect(labelled('name', 'one two three', 22)).toBe('name       one two\n           three')
  })

  it('does not cut a long word', () => {
    expect(foldedText('a /srv/a/very/long/path b', '', 10)).toBe('a\n/srv/a/very/long/path\nb')
  })

  it('counts no colours and two cells for wide characters', () => {
    expect(foldedText('\u001b[31mred\u001b[39m two', '', 7)).toBe('\u001b[31mred\u001b[39m two')
    expect(foldedText('日本 日本', '', 8)).toBe('日本\n日本')
  })

  it('keeps lines that fit as they are, and wraps others below their label', () => {
    expect(fitted('  a   b\n  does      one two three', 24)).toBe(
      '  a   b\n  does      one two\n            three',
    )
    expect(fitted('  set in    one two three', 24)).toBe('  set in    one two\n            three')
    // The same with a label in colour, which ends before the last space.
    const dim = (text: string) => `\u001b[2m${text}\u001b[22m`
    expect(fitted(`  ${dim('does     ')} one two three`, 24)).toBe(
      `  ${dim('does     ')} one two\n            three`,
    )
  })

  it('has plurals', () => {
    expect([0, 1, 2].map((count) => plural(count, 'guard'))).toEqual(['0 guards', '1 guard', '2 guards'])
  })
})

it('shows a time as the local time, and what is not a time as it is', () => {
  const at = new Date(2026, 0, 5, 9, 7, 3)
  expect(localTime(at.getTime())).toBe('2026-01-05 09:07:03')
  expect(localTime(at.toISOString())).toBe('2026-01-05 09:07:03')
  expect(localTime('soon')).toBe('soon')
})
