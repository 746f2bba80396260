import { expect, it } from 'vitest'
import { createMemoryState } from './memory-state.ts'
import { stateContract } from './state.contract.ts'
import type { Commit } from './state.ts'

stateContract({ name: 'memory', open: () => createMemoryState() })

it('keeps so many sessions, and of those whoever was asked for last', () => {
  const state = createMemoryState({ sessionsMax: 3 })
  const knows = (session: string) => {
    const read = state.read(session)
    return read.ok && read.value.actors.size > 0
  }
  const commit = (nonce: string): Commit => ({
    agent: 'main',
    nonce,
    atMs: 0,
    changes: [{ do: 'patch', patch: { op: 'set', key: 'k', value: 1 } }],
  })
  for (const session of ['a', 'b', 'c']) expect(state.commit(session, commit(session)).ok).toBe(true)
  expect(knows('a')).toBe(true)
  state.commit('d', commit('d'))
  expect(['a', 'b', 'c', 'd'].map(knows)).toEqual([true, false, true, true])
})
