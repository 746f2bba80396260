import { expect, it } from 'vitest'
import type { Commit } from '../../core/state/state.ts'
import { createMemoryState } from './memory-state.ts'
import { stateContract } from './state.contract.ts'

stateContract({ name: 'memory', open: () => createMemoryState() })

it('the memory store keeps a limited number of sessions: the most recently used', () => {
  const state = createMemoryState({ sessionsMax: 3 })
  const knows = (session: string) => {
    const read = state.read(session)
    return read.ok && read.value.actors.size > 0
  }
  const commit = (nonce: string): Commit => ({
    agent: 'main',
    nonce,
    atMs: 0,
    changes: [{ kind: 'patch', patch: { op: 'set', key: 'k', value: 1 } }],
  })
  for (const session of ['a', 'b', 'c']) expect(state.commit(session, commit(session)).ok).toBe(true)
  expect(knows('a')).toBe(true)
  state.commit('d', commit('d'))
  expect(['a', 'b', 'c', 'd'].map(knows)).toEqual([true, false, true, true])
})
