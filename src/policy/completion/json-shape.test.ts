import { expect, it } from 'vitest'
import { shapeFaults } from './json-shape.ts'

const SHAPE = {
  status: 'string',
  count: 'number',
  done: 'boolean',
  items: 'list',
  meta: { by: 'string' },
  extra: 'any',
} as const

it('accepts a value with the right shape', () => {
  const value = { status: 'ok', count: 1, done: false, items: [], meta: { by: 'me' }, extra: null, more: 1 }
  expect(shapeFaults(JSON.stringify(value), SHAPE)).toEqual([])
  expect(shapeFaults(`\uFEFF${JSON.stringify(value)}`, SHAPE)).toEqual([])
})

it('reports every key that is missing or wrong', () => {
  const value = { status: 1, count: '1', done: 'yes', items: {}, meta: { by: [] } }
  expect(shapeFaults(JSON.stringify(value), SHAPE)).toEqual([
    'has `status`, which is not a string',
    'has `count`, which is not a number',
    'has `done`, which is not true or false',
    'has `items`, which is not a list',
    'has `meta.by`, which is not a string',
    'lacks `extra`',
  ])
  expect(shapeFaults('{"meta":[]}', { meta: { by: 'string' } })).toEqual([
    'has `meta`, which is not an object',
  ])
  expect(shapeFaults('{"meta":{}}', { meta: 'object' })).toEqual([])
})

it.each([
  ['', 'is not JSON'],
  ['{"a":', 'is not JSON'],
  ['[]', 'is not a JSON object'],
  ['null', 'is not a JSON object'],
])('%j %s', (text, fault) => {
  expect(shapeFaults(text, SHAPE)).toEqual([fault])
})

it('does not accept inherited properties as keys', () => {
  expect(shapeFaults('{}', { toString: 'any' } as never)).toEqual(['lacks `toString`'])
})
