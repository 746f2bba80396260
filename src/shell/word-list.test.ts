import { expect, test } from 'vitest'
import { eachWord, wordList, wordSet } from './word-list.ts'

test('a text may stand on several lines, and be empty', () => {
  expect(wordList('f|force u|user= [')).toEqual(['f|force', 'u|user=', '['])
  expect(
    wordList(`
      a b
      c
    `),
  ).toEqual(['a', 'b', 'c'])
  expect(wordList('')).toEqual([])
  expect(wordList(' \n ')).toEqual([])
})

test('a set has each word once, a table one row for each', () => {
  expect(wordSet('a b a')).toEqual(new Set(['a', 'b']))
  expect(new Map(eachWord('a b', 1))).toEqual(
    new Map([
      ['a', 1],
      ['b', 1],
    ]),
  )
})
