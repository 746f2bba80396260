import { describe, expect, it } from 'vitest'
import { readReturned } from './returned.ts'

describe('what a function returns', () => {
  it.each<[string, unknown, object | null]>([
    ['nothing', undefined, null],
    ['null', null, null],
    ['a deny', { deny: 'why' }, { effect: 'deny', reason: 'why' }],
    ['a question', { ask: 'sure?' }, { effect: 'ask', reason: 'sure?' }],
    ['a grant', { allow: true }, { effect: 'allow' }],
    ['a grant with a reason', { allow: 'read only' }, { effect: 'allow', reason: 'read only' }],
    ['a warning', { warn: 'careful' }, { effect: 'pass', notices: ['careful'] }],
    [
      'a word to the agent',
      { context: 'use pnpm' },
      { effect: 'pass', context: [{ text: 'use pnpm', to: 'self' }] },
    ],
    ['another input', { rewrite: { command: 'ls' } }, { effect: 'pass', rewrite: { command: 'ls' } }],
    ['the strictest of two', { ask: 'b', deny: 'a', allow: true }, { effect: 'deny', reason: 'a' }],
    [
      'several parts',
      { deny: 'a', warn: 'b', context: 'c', ask: undefined },
      { effect: 'deny', reason: 'a', notices: ['b'], context: [{ text: 'c', to: 'self' }] },
    ],
    ['the words of programs', { decision: 'block', reason: 'x' }, { effect: 'deny', reason: 'x' }],
    [
      'a whole answer',
      { effect: 'ask', reason: 'x', remember: [{ op: 'count', key: 'n', by: 1 }] },
      { effect: 'ask', reason: 'x', remember: [{ op: 'count', key: 'n', by: 1 }] },
    ],
    ['an empty object', {}, null],
  ])('%s', (_name, returned, answer) => {
    expect(readReturned(returned)).toEqual(answer)
  })

  it.each<[string, unknown]>([
    ['a text', 'deny'],
    ['a list', []],
    ['an Error', new Error('x')],
    ['a Map', new Map()],
    ['a deny without a reason', { deny: '' }],
    ['a deny of blanks', { deny: ' ' }],
    ['a deny that is no text', { deny: true }],
    ['a deny that is null', { deny: null }],
    ['another input that is no object', { rewrite: 'ls' }],
    ['a key nobody knows beside a word', { warn: 'x', dney: 'y' }],
    ['the words of programs beside short ones', { context: 'x', decision: 'block' }],
    ['a key nobody knows', { refuse: 'x' }],
    ['a reason that is no text', { effect: 'deny', reason: 1 }],
    ['context that is no list', { effect: 'pass', context: 'x' }],
    ['context for nobody', { effect: 'pass', context: [{ text: 'x', to: 'all' }] }],
    ['a change of state that is none', { effect: 'pass', remember: [{ op: 'drop', key: 'x' }] }],
    ['a file without a path', { effect: 'pass', files: [{ text: 'x' }] }],
    ['an effect nobody knows', { effect: 'refuse' }],
  ])('%s is a failure', (_name, returned) => {
    expect(readReturned(returned)).toMatchObject({
      failure: 'invalidOutput',
      message: expect.stringMatching(/\S/),
    })
  })
})
