import { expect, it } from 'vitest'
import { visible, visibleJson } from './visible.ts'

it.each([
  ['plain text', 'ls -la\tä 日本 🙂', 'ls -la\tä 日本 🙂'],
  ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
  ['a line end', 'a\r\nb', 'a\\u000d\\u000ab'],
  ['a right-to-left override', 'a\u202eb', 'a\\u202eb'],
  ['invisible characters', 'a\u200bb\ufeffc\u3164d', 'a\\u200bb\\ufeffc\\u3164d'],
  ['a link of a terminal', '\u001b]8;;http://x\u0007y', '\\u001b]8;;http://x\\u0007y'],
  ['a control of one byte', 'a\u009b2Jb', 'a\\u009b2Jb'],
  ['an isolated direction', 'a\u2066b\u2069', 'a\\u2066b\\u2069'],
  ['tags', 'a\u{e0041}b', 'a\\ue0041b'],
])('shows %s', (_name, text, shown) => {
  expect(visible(text)).toBe(shown)
})

it('says how many characters it leaves out', () => {
  expect(visible('abcdef', 4)).toBe('abcd... (2 more characters)')
  expect(visible('abcd', 4)).toBe('abcd')
})

it.each(['\u001b[2J', 'a\u009bb', 'a\u202eb', 'a\u{e0041}b', 'a\u2028b', 'ä 日本 🙂'])(
  'prints %j in JSON that means the same and has no such character',
  (text) => {
    const printed = visibleJson(JSON.stringify({ text }, null, 2))
    expect(JSON.parse(printed)).toEqual({ text })
    expect(visible(printed.replaceAll('\n', ''))).toBe(printed.replaceAll('\n', ''))
  },
)
