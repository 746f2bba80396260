import { expect, it } from 'vitest'
import { visible } from './visible.ts'

it.each([
  ['plain text', 'ls -la\tä 日本 🙂', 'ls -la\tä 日本 🙂'],
  ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
  ['a line end', 'a\r\nb', 'a\\u000d\\u000ab'],
  ['a line turned around', 'a\u202eb', 'a\\u202eb'],
  ['nothing to see', 'a\u200bb\ufeffc\u3164d', 'a\\u200bb\\ufeffc\\u3164d'],
  ['tags', 'a\u{e0041}b', 'a\\ue0041b'],
])('shows %s', (_name, text, shown) => {
  expect(visible(text)).toBe(shown)
})

it('says how much it cuts off', () => {
  expect(visible('abcdef', 4)).toBe('abcd... (2 more characters)')
  expect(visible('abcd', 4)).toBe('abcd')
})
