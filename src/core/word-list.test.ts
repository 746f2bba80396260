import { expect, test } from 'vitest'
import { wordList, wordSet } from './word-list.ts'

test('the text can have several lines, and can be empty', () => {
  expect(
    wordList(`
      a b
      c
    `),
  ).toEqual(['a', 'b', 'c'])
  expect(wordList('')).toEqual([])
  expect(wordSet('a b a')).toEqual(new Set(['a', 'b']))
})
