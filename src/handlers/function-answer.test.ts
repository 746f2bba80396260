import { describe, expect, it } from 'vitest'
import { readAnswer } from './read-answer.ts'

describe('the return value of a function', () => {
  it.each<[string, unknown, object | null]>([
    ['nothing', undefined, null],
    ['null', null, null],
    ['a deny', { deny: 'why' }, { effect: 'deny', reason: 'why' }],
    ['a question', { ask: 'sure?' }, { effect: 'ask', reason: 'sure?' }],
    ['a grant', { allow: true }, { effect: 'allow' }],
    ['a grant with a reason', { allow: 'read only' }, { effect: 'allow', reason: 'read only' }],
    ['a warning', { warn: 'careful' }, { effect: 'pass', notices: ['careful'] }],
    [
      'text for the agent',
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
    expect(readAnswer(returned, { kind: 'function' })).toEqual(answer)
  })

  it.each<[string, unknown]>([
    ['a text', 'deny'],
    ['a list', []],
    ['an Error', new Error('x')],
    ['a Map', new Map()],
    ['a deny without a reason', { deny: '' }],
    ['a deny of spaces', { deny: ' ' }],
    ['a deny that is not a text', { deny: true }],
    ['a deny that is null', { deny: null }],
    ['a new input that is not an object', { rewrite: 'ls' }],
    ['an unknown key next to a known one', { warn: 'x', dney: 'y' }],
    ['keys of programs mixed with short ones', { context: 'x', decision: 'block' }],
    ['an unknown key', { refuse: 'x' }],
    ['a reason that is not a text', { effect: 'deny', reason: 1 }],
    ['a context that is not a list', { effect: 'pass', context: 'x' }],
    ['context for nobody', { effect: 'pass', context: [{ text: 'x', to: 'all' }] }],
    ['an invalid change of state', { effect: 'pass', remember: [{ op: 'drop', key: 'x' }] }],
    ['a file without a path', { effect: 'pass', files: [{ text: 'x' }] }],
    ['an unknown effect', { effect: 'refuse' }],
  ])('%s is a failure', (_name, returned) => {
    expect(readAnswer(returned, { kind: 'function' })).toMatchObject({
      failure: 'invalidOutput',
      message: expect.stringMatching(/\S/),
    })
  })
})
