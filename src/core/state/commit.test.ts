import { expect, it } from 'vitest'
import { decodeCommit, encodeCommit } from './commit.ts'

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
