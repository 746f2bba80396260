import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../core/json.ts'
import { failureText, keepingPromise, withContext, withOutput } from './tool-result.ts'

const text = (words: string) => ({ type: 'text', text: words })
const before = { content: [text('secret')] }
const promised = { content: [text('{"a":1}')], structuredContent: { a: 1 } }

it.each<[string, JsonObject, Json, JsonObject]>([
  ['a text', before, 'masked', { content: [text('masked')] }],
  ['content', before, [text('a'), text('b')], { content: [text('a'), text('b')] }],
  ['a complete result', before, { content: [], isError: false }, { content: [], isError: false }],
  ['an object', before, { a: 1 }, { content: [text('{"a":1}')] }],
  ['a list of anything', before, [1, 2], { content: [text('[1,2]')] }],
  ['null', before, null, { content: [text('null')] }],
  ['a text instead of data', promised, 'x', { content: [text('x')] }],
  ['data instead of data', promised, { ...promised }, promised],
  ['a text instead of a failure', { ...before, isError: true }, 'x', { content: [text('x')], isError: true }],
])('an output replaces a result: %s', (_name, result, output, after) => {
  expect(withOutput(result, output)).toEqual(after)
})

it('added texts come after the result', () => {
  expect(withContext(before, ['a'], 'nothing')).toEqual({ content: [text('secret'), text('a')] })
  expect(withContext({ _meta: {} }, ['a'], 'nothing')).toEqual({ _meta: {}, content: [text('a')] })
  expect(withContext(before, [], 'nothing')).toBe(before)
  expect(withContext(promised, ['a'], 'data')).toEqual({
    content: [text('{"a":1}'), text('a')],
    structuredContent: { a: 1, holdpoint: ['a'] },
  })
})

it('output schemas are respected: nothing is added to closed data, and missing data becomes a failure', () => {
  const told = withContext(promised, ['a'], 'only this data')
  expect(told).toEqual({ ...promised, content: [text('{"a":1}'), text('a')] })
  expect(keepingPromise(before, 'data')).toEqual({ ...before, isError: true })
  expect(keepingPromise(before, 'nothing')).toBe(before)
  expect(keepingPromise(promised, 'only this data')).toBe(promised)
})

it('the text of a failure contains all of its parts', () => {
  expect(failureText({ content: [text('a'), { type: 'image' }, text('b')] })).toBe('a\n{"type":"image"}\nb')
  expect(failureText({})).toContain('without a message')
})
