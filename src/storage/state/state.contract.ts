import { describe, expect, it } from 'vitest'
import type { Commit, SessionState, StateChange, StateStore } from '../../core/state/state.ts'

/** What every state store must do. `open` returns a new, empty store at each call. */
export function stateContract({ name, open }: { readonly name: string; open(): StateStore }): void {
  describe(`state store ${name}`, () => {
    it('returns an empty state for an unknown session', () => {
      const state = expectValue(open().read('s'))
      expect(state.actors.size).toBe(0)
      expect(state.recorded.size).toBe(0)
      expect(state.spawns).toEqual([])
      expect(state.damaged).toBe(false)
    })

    it('returns what was committed, in the answer and at the next read', () => {
      const store = open()
      const done = expectValue(store.commit('s', commitOf({ changes: [set('colour', 'red')] })))
      expect(done.applied).toBe(true)
      expect(memoryOf(done.state)).toEqual({ colour: 'red' })
      expect(expectValue(store.read('s')).actors).toEqual(done.state.actors)
    })

    it('applies one delivery once, and keeps its decision for the second', () => {
      const store = open()
      const delivery = { key: 'call-1', changes: [count('calls')], recorded: { effect: 'deny' } }
      expect(expectValue(store.commit('s', commitOf(delivery))).applied).toBe(true)
      const second = expectValue(store.commit('s', commitOf({ ...delivery, recorded: { effect: 'pass' } })))
      expect(second.applied).toBe(false)
      expect(memoryOf(second.state)).toEqual({ calls: 1 })
      expect(second.state.recorded.get('call-1')).toEqual({ effect: 'deny' })
    })

    it('refuses a commit that was decided on an outdated version', () => {
      const store = open()
      const onFirst = { base: 0, changes: [count('calls')] }
      expect(expectValue(store.commit('s', commitOf(onFirst))).applied).toBe(true)
      const late = expectValue(store.commit('s', commitOf(onFirst)))
      expect(late.applied).toBe(false)
      const version = late.state.actors.get('main')?.version ?? -1
      expect(expectValue(store.commit('s', commitOf({ ...onFirst, base: version }))).applied).toBe(true)
      expect(memoryOf(expectValue(store.read('s')))).toEqual({ calls: 2 })
    })

    it('applies every commit that names no version', () => {
      const store = open()
      for (let n = 0; n < 20; n++) expectValue(store.commit('s', commitOf({ changes: [count('calls')] })))
      expect(memoryOf(expectValue(store.read('s')))).toEqual({ calls: 20 })
    })

    it('keeps sessions apart, whatever their ids look like', () => {
      const store = open()
      const ids = ['', 's', 'S', '../s', '/etc/passwd', 'a\u0000b', 'a\nb', '🙂', 'x'.repeat(10_000)]
      for (const [n, id] of ids.entries())
        expectValue(store.commit(id, commitOf({ changes: [set('mine', n)] })))
      for (const [n, id] of ids.entries()) expect(memoryOf(expectValue(store.read(id)))).toEqual({ mine: n })
    })

    it('keeps every text unchanged', () => {
      const store = open()
      const texts = ['', '\n', '\u0000', '\u2028', '{"', '\ud800', 'é🙂', '"\\', 'x'.repeat(100_000)]
      expectValue(store.commit('s', commitOf({ changes: [set('texts', texts)] })))
      expect(memoryOf(expectValue(store.read('s')))).toEqual({ texts })
    })

    it('returns states that later commits and callers do not change', () => {
      const store = open()
      const patch: { op: 'set'; key: string; value: string } = { op: 'set', key: 'colour', value: 'red' }
      const before = expectValue(store.commit('s', commitOf({ changes: [{ kind: 'patch', patch }] }))).state
      patch.value = 'changed by the caller'
      expectValue(store.commit('s', commitOf({ changes: [set('colour', 'blue')] })))
      expect(memoryOf(before)).toEqual({ colour: 'red' })
    })

    it('refuses a commit that it could not read back, and keeps its state', () => {
      const store = open()
      const broken: readonly unknown[] = [
        { ...commitOf({}), atMs: Number.NaN },
        { ...commitOf({}), agent: undefined },
        { ...commitOf({}), changes: [{ kind: 'patch', patch: { op: 'set', key: 'a' } }] },
        { ...commitOf({}), changes: [{ kind: 'patch', patch: { op: 'set', key: 'a', value: 1n } }] },
        commitOf({ changes: [set('huge', 'x'.repeat(2_000_000))] }),
      ]
      for (const commit of broken) {
        const result = store.commit('s', commit as Commit)
        expect(result).toMatchObject({ ok: false, problem: { code: 'STATE_UNWRITABLE' } })
      }
      expect(expectValue(store.read('s'))).toMatchObject({ damaged: false })
      expect(expectValue(store.read('s')).actors.size).toBe(0)
    })
  })
}

let nonces = 0

function commitOf(more: Partial<Commit>): Commit {
  nonces++
  return { agent: 'main', changes: [], nonce: `contract-${nonces}`, atMs: 0, ...more }
}

function set(key: string, value: string | number | readonly string[]): StateChange {
  return { kind: 'patch', patch: { op: 'set', key, value } }
}

function count(key: string): StateChange {
  return { kind: 'patch', patch: { op: 'count', key, by: 1 } }
}

function memoryOf(state: SessionState): unknown {
  return state.actors.get('main')?.memory
}

function expectValue<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (!result.ok) throw new Error(`expected a value, got ${JSON.stringify(result)}`)
  return result.value
}
