import { describe, expect, it } from 'vitest'
import { copyCommit, decodeCommit, encodeCommit } from './commit.ts'
import type { Commit } from './state.ts'

it('a line written by version 0.1.0 is read with its current meaning', () => {
  const line =
    '{"agent":"main","changes":[{"do":"skill","name":"mux","active":true},{"do":"end"}],"nonce":"n","atMs":1}'
  expect(decodeCommit(line)).toEqual({
    agent: 'main',
    changes: [{ kind: 'skill', name: 'mux', active: true }, { kind: 'end' }],
    nonce: 'n',
    atMs: 1,
  })
})

it('a commit read from its line equals the original', () => {
  const commit = { agent: 'main', changes: [{ kind: 'clear' as const }], nonce: 'n', atMs: 1 }
  const line = encodeCommit(commit)
  expect(line.ok && decodeCommit(line.value)).toEqual(commit)
})

const COMMIT = { agent: 'main', changes: [], nonce: 'n', atMs: 1 }
const LETTER = { id: 'l', context: { text: 't', to: 'main' } }
const patch = (value: object) => ({ kind: 'patch', patch: value })

/** Each whole thing, and the fields without which it is another thing. */
const WHOLE: readonly (readonly [string, object])[] = [
  ['a set', patch({ op: 'set', key: 'k', value: null })],
  ['a count', patch({ op: 'count', key: 'k', by: 1 })],
  ['a push', patch({ op: 'push', key: 'k', value: 1, keep: 2 })],
  ['a patch of a newer version', patch({ op: 'later' })],
  ['a skill', { kind: 'skill', name: 's', active: false }],
  ['an agent', { kind: 'agent' }],
  ['an agent of a type', { kind: 'agent', type: 't', parent: 'p' }],
  ['a parent', { kind: 'parent', of: 'a', parent: 'p' }],
  ['a parent of a type', { kind: 'parent', of: 'a', parent: 'p', type: 't' }],
  ['a text', { kind: 'send', to: 'main', letter: LETTER }],
  ['a delivery', { kind: 'deliver', ids: ['l'] }],
  ['a call', { kind: 'spawn', type: '' }],
  ['a call of a skill', { kind: 'spawned', type: '', skill: 's' }],
  ['an end', { kind: 'end' }],
  ['a change of a newer version', { kind: 'later', x: 1 }],
]
const BROKEN: readonly (readonly [string, unknown])[] = [
  ['no object', 7],
  ['a list', []],
  ['no kind', {}],
  ['a kind that is no text', { kind: 1 }],
  ['no patch', { kind: 'patch' }],
  ['a patch without an operation', patch({ key: 'k' })],
  ['a set without a key', patch({ op: 'set', value: 1 })],
  ['a set without a value', patch({ op: 'set', key: 'k' })],
  ['a count without a key', patch({ op: 'count', by: 1 })],
  ['a count of a text', patch({ op: 'count', key: 'k', by: '1' })],
  ['a push without a key', patch({ op: 'push', value: 1, keep: 2 })],
  ['a push without a value', patch({ op: 'push', key: 'k', keep: 2 })],
  ['a push that keeps a text', patch({ op: 'push', key: 'k', value: 1, keep: '2' })],
  ['a skill without a name', { kind: 'skill', active: true }],
  ['a skill that is neither', { kind: 'skill', name: 's' }],
  ['an agent of a number', { kind: 'agent', type: 7 }],
  ['an agent with a number as its parent', { kind: 'agent', parent: 7 }],
  ['a parent of nobody', { kind: 'parent', parent: 'p' }],
  ['a parent that is missing', { kind: 'parent', of: 'a' }],
  ['a parent of a number', { kind: 'parent', of: 'a', parent: 'p', type: 7 }],
  ['a text to nobody', { kind: 'send', letter: LETTER }],
  ['no text', { kind: 'send', to: 'main' }],
  ['a text without an id', { kind: 'send', to: 'main', letter: { context: LETTER.context } }],
  ['a text without words', { kind: 'send', to: 'main', letter: { id: 'l', context: { to: 'main' } } }],
  ['a text for nobody', { kind: 'send', to: 'main', letter: { id: 'l', context: { text: 't' } } }],
  ['a text that is none', { kind: 'send', to: 'main', letter: { id: 'l', context: 't' } }],
  ['a delivery of nothing', { kind: 'deliver' }],
  ['a delivery of numbers', { kind: 'deliver', ids: ['l', 7] }],
  ['a call without a type', { kind: 'spawn' }],
  ['a call of a skill that is none', { kind: 'spawned', type: '', skill: 7 }],
]

describe('a change', () => {
  it.each(WHOLE)('%s is kept and read', (_what, change) => {
    const commit = { ...COMMIT, changes: [change] } as unknown as Commit
    expect(copyCommit(commit)).toEqual({ ok: true, value: commit })
    expect(encodeCommit(commit)).toEqual({ ok: true, value: JSON.stringify(commit) })
  })

  it.each(BROKEN)('with %s is refused before it is written, and garbage when it is read', (_what, change) => {
    const commit = { ...COMMIT, changes: [{ kind: 'end' }, change] } as unknown as Commit
    const message = 'a commit of main lacks a field or has one of a wrong type'
    for (const refused of [encodeCommit(commit), copyCommit(commit)])
      expect(refused).toMatchObject({ ok: false, problem: { code: 'STATE_UNWRITABLE', message } })
    expect(decodeCommit(JSON.stringify(commit))).toBe('garbage')
  })
})

describe('a commit', () => {
  it('may have a key, a version and a decision', () => {
    const commit = { ...COMMIT, key: 'k', base: 3, recorded: { effect: 'deny' } }
    expect(decodeCommit(JSON.stringify(commit))).toEqual(commit)
  })

  it.each<[string, object]>([
    ['no nonce', { nonce: undefined }],
    ['no actor', { agent: 7 }],
    ['no time', { atMs: '1' }],
    ['no changes', { changes: undefined }],
    ['a key that is no text', { key: 7 }],
    ['a version that is no whole number', { base: 1.5 }],
    ['a decision that is a text', { recorded: 'deny' }],
  ])('with %s is garbage', (_what, more) => {
    expect(decodeCommit(JSON.stringify({ ...COMMIT, ...more }))).toBe('garbage')
  })

  it('is a copy: later changes of the caller do not reach it', () => {
    const value = { list: [1] }
    const commit: Commit = { ...COMMIT, changes: [{ kind: 'patch', patch: { op: 'set', key: 'k', value } }] }
    const copied = copyCommit(commit)
    value.list.push(2)
    expect(copied).toMatchObject({ value: { changes: [{ patch: { value: { list: [1] } } }] } })
  })

  it('of a megabyte is kept, and one byte more is not', () => {
    const sized = (bytes: number): Commit => {
      const text = (fill: string) => ({ ...COMMIT, recorded: { fill } })
      const empty = JSON.stringify(text('')).length
      return text('é'.repeat(10) + 'x'.repeat(bytes - empty - 20))
    }
    expect(encodeCommit(sized(1024 * 1024)).ok).toBe(true)
    expect(encodeCommit(sized(1024 * 1024 + 1))).toMatchObject({
      problem: {
        code: 'STATE_UNWRITABLE',
        message: 'a commit of main has 1048577 bytes; at most 1048576 are kept',
      },
    })
  })

  it('that is no JSON is refused with the reason', () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const commit = { ...COMMIT, recorded: circular } as unknown as Commit
    expect(encodeCommit(commit)).toMatchObject({
      problem: { message: expect.stringMatching(/^a commit of main is not plain JSON: TypeError/) },
    })
  })
})

describe('version 0.1.0', () => {
  it.each<[string, unknown, unknown]>([
    ['no object', [1], 'garbage'],
    ['changes that are no list', { ...COMMIT, changes: {} }, 'garbage'],
    [
      'old and new changes',
      { ...COMMIT, changes: [{ kind: 'end' }, { do: 'end' }] },
      [{ kind: 'end' }, { kind: 'end' }],
    ],
    ['something that is no change', { ...COMMIT, changes: [7, { do: 'end' }] }, 'garbage'],
    ['a list', { ...COMMIT, changes: [['do'], { do: 'end' }] }, 'garbage'],
  ])('with %s', (_what, value, changes) => {
    const read = decodeCommit(JSON.stringify(value))
    expect(typeof read === 'string' ? read : read.changes).toEqual(changes)
  })
})

describe('a line that is no JSON', () => {
  it.each([
    ['torn', '{'],
    ['torn', '{"agent":"ma'],
    ['torn', '{"changes":[{"kind":"end"}'],
    ['torn', '{"changes":[[],[]'],
    ['torn', '{"a":"}'],
    ['torn', '{"a":"\\"}'],
    ['torn', '{"a":"]}\\\\"'],
    ['torn', '{"a":{}'],
    ['garbage', ''],
    ['garbage', '"agent":"main"}'],
    ['garbage', '{"a":1}}'],
    ['garbage', '{"a":[1]}{"b":'],
    ['garbage', '{"a":"\\"}"}x{'],
    ['garbage', '{"a":"x\u0000'],
    ['garbage', '{"a":"x\u001f'],
    ['torn', '{"a":"x\u0020'],
  ])('is %s: %j', (is, line) => {
    expect(decodeCommit(line)).toBe(is)
  })
})
