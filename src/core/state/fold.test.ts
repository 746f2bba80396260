import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Json } from '../json.ts'
import { emptySession, type FoldedSession, foldCommit, foldCommits, LIMITS } from './fold.ts'
import { allKeys } from './recent-keys.ts'
import type { ActorState, Commit, StateChange } from './state.ts'

let nonces = 0

function commitOf(changes: readonly unknown[], more: Partial<Commit> = {}): Commit {
  nonces++
  return { agent: 'main', changes: changes as StateChange[], nonce: `n${nonces}`, atMs: 0, ...more }
}

function fold(...commits: readonly Commit[]): FoldedSession {
  return foldCommits(emptySession(), commits).state
}

function main(...changes: readonly unknown[]): ActorState | undefined {
  return fold(commitOf(changes)).actors.get('main')
}

const set = (key: string, value: Json) => ({ kind: 'patch', patch: { op: 'set', key, value } })
const count = (key: string, by: number) => ({ kind: 'patch', patch: { op: 'count', key, by } })
const push = (key: string, value: Json, keep: number) => ({
  kind: 'patch',
  patch: { op: 'push', key, value, keep },
})
const skill = (name: string, active = true) => ({ kind: 'skill', name, active })
const letter = (id: string) => ({ id, context: { text: `text ${id}`, to: 'main' as const } })
const send = (to: string, id: string) => ({ kind: 'send', to, letter: letter(id) })

describe('memory', () => {
  test.each<[string, readonly unknown[], unknown]>([
    ['set replaces', [set('a', 1), set('a', [2])], { a: [2] }],
    ['count starts at nothing', [count('a', 2), count('a', -3)], { a: -1 }],
    ['count over another type starts again', [set('a', 'x'), count('a', 1)], { a: 1 }],
    ['count never leaves the numbers', [count('a', 1e308), count('a', 1e308)], { a: 1e308 }],
    ['push keeps the newest', [1, 2, 3].map((n) => push('a', n, 2)), { a: [2, 3] }],
    ['push over another type starts again', [set('a', 'x'), push('a', 1, 2)], { a: [1] }],
    ['push with keep 0', [push('a', 1, 0)], { a: [] }],
    ['push with a negative keep', [push('a', 1, -5)], { a: [] }],
    [
      'names of built-in properties',
      [count('constructor', 1), count('toString', 1)],
      { constructor: 1, toString: 1 },
    ],
    ['an unknown operation', [set('a', 1), { kind: 'patch', patch: { op: 'later', key: 'a' } }], { a: 1 }],
  ])('%s', (_, changes, memory) => {
    expect(main(...changes)?.memory).toEqual(memory)
  })

  it('is the same after patches of one commit as after a commit for each of them', () => {
    const key = fc.constantFrom('a', 'b', '1', '__proto__', 'constructor')
    const change = fc.oneof(
      fc.tuple(key, fc.jsonValue()).map(([name, value]) => set(name, value as Json)),
      fc.tuple(key, fc.integer()).map(([name, by]) => count(name, by)),
      fc.tuple(key, fc.jsonValue(), fc.nat(3)).map(([name, value, keep]) => push(name, value as Json, keep)),
      fc.constantFrom(skill('s'), { kind: 'clear' }, { kind: 'patch', patch: { op: 'later', key: 'a' } }),
    )
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const apart = fold(...changes.map((each) => commitOf([each]))).actors.get('main')
        const memory = main(...changes)?.memory ?? {}
        // As text: the order of the keys is the same too.
        expect(JSON.stringify(memory)).toBe(JSON.stringify(apart?.memory ?? {}))
      }),
    )
  })

  it('accepts a key named __proto__', () => {
    const memory = main(set('__proto__', { polluted: true }))?.memory ?? {}
    expect(Object.hasOwn(memory, '__proto__')).toBe(true)
    expect(memory.polluted).toBeUndefined()
  })

  it('ignores new keys above the limit, and still changes existing ones', () => {
    const keys = Array.from({ length: LIMITS.memoryKeys + 5 }, (_, n) => set(`k${n}`, n))
    const memory = main(...keys, set('constructor', 1), set('k0', 'changed'))?.memory ?? {}
    expect(Object.keys(memory)).toHaveLength(LIMITS.memoryKeys)
    expect(memory.k0).toBe('changed')
  })

  it('limits a list even if its keep is larger', () => {
    const pushes = Array.from({ length: LIMITS.pushed + 5 }, (_, n) => push('a', n, 1e9))
    expect(main(...pushes)?.memory.a).toHaveLength(LIMITS.pushed)
  })
})

describe('skills', () => {
  test.each<[string, readonly unknown[], readonly string[]]>([
    ['oldest first', [skill('b'), skill('a')], ['b', 'a']],
    ['a second start changes nothing', [skill('b'), skill('a'), skill('b')], ['b', 'a']],
    ['end', [skill('a'), skill('b'), skill('a', false)], ['b']],
    ['the end of a skill that never began', [skill('a', false)], []],
    ['the final stop ends all', [skill('a'), { kind: 'end' }], []],
    ['a clear ends all', [skill('a'), { kind: 'clear' }], []],
  ])('%s', (_, changes, skills) => {
    expect(main(...changes)?.skills).toEqual(skills)
  })

  it('ends only those of the actor that ended', () => {
    const state = fold(
      commitOf([skill('a')]),
      commitOf([skill('b')], { agent: 'sub' }),
      commitOf([{ kind: 'end' }], { agent: 'sub' }),
    )
    expect(state.actors.get('main')).toMatchObject({ skills: ['a'], ended: false })
    expect(state.actors.get('sub')).toMatchObject({ skills: [], ended: true })
  })
})

describe('actors', () => {
  it('learn their type and parent one at a time', () => {
    const state = fold(
      commitOf([{ kind: 'agent', type: 'writer' }], { agent: 'sub' }),
      commitOf([{ kind: 'agent', parent: 'main' }], { agent: 'sub' }),
    )
    expect(state.actors.get('sub')).toMatchObject({ type: 'writer', parent: 'main' })
  })

  it('become active again by an active event, and by nothing else', () => {
    const ended = [{ kind: 'end' }, set('a', 1)]
    expect(main(...ended)?.ended).toBe(true)
    expect(main(...ended, { kind: 'agent' })?.ended).toBe(false)
  })

  it('accept facts about a child from another actor, without changing the rest of the child', () => {
    const told = commitOf([{ kind: 'parent', of: 'sub', parent: 'main', type: 'writer' }])
    const state = fold(commitOf([skill('a'), { kind: 'end' }], { agent: 'sub' }), told)
    expect(state.actors.get('sub')).toMatchObject({ type: 'writer', parent: 'main', version: 1, ended: true })
  })
})

describe('more sub-agents than are kept', () => {
  it('are forgotten once they have ended, the oldest first', () => {
    const [end, start] = [{ kind: 'end' }, { kind: 'agent' }]
    const many = Array.from({ length: LIMITS.actors }, (_, n) =>
      commitOf([n === 0 ? start : end], { agent: `a${n}` }),
    )
    const full = fold(...many)
    expect(full.actors.size).toBe(LIMITS.actors)
    const { actors } = foldCommit(full, commitOf([start], { agent: 'new' })).state
    expect([actors.size, actors.has('a0'), actors.has('a1'), actors.has('a2'), actors.has('new')]).toEqual([
      ...[LIMITS.actors, true, false, true, true],
    ])
  })

  it('are forgotten even by a commit that changes nothing, and only one at a time', () => {
    const ended = { ...main({ kind: 'end' }), ended: true } as ActorState
    const ids = Array.from({ length: LIMITS.actors + 2 }, (_, n) => `a${n}`)
    const full = { ...emptySession(), actors: new Map(ids.map((id) => [id, ended])) }
    const { actors } = foldCommit(full, commitOf([])).state
    expect([actors.size, actors.has('a0'), actors.has('a1')]).toEqual([LIMITS.actors + 1, false, true])
    expect([full.actors.size, full.actors.has('a0')]).toEqual([LIMITS.actors + 2, true])
  })
})

describe('the session before', () => {
  it.each<[string, readonly Commit[]]>([
    ['one that changes an actor', [commitOf([set('a', 2)])]],
    ['one that makes an actor', [commitOf([{ kind: 'agent' }], { agent: 'sub' })]],
    ['one that is recorded', [commitOf([], { key: 'new', recorded: { effect: 'deny' } })]],
    [
      'one that is recorded before one that is not',
      [commitOf([], { key: 'new', recorded: {} }), commitOf([set('a', 2)])],
    ],
    ['one that clears', [commitOf([{ kind: 'clear' }])]],
    ['one that starts and sends', [commitOf([{ kind: 'spawn', type: 't' }, send('main', 'l')])]],
  ])('is left as it was by a commit: %s', (_what, commits) => {
    const before = fold(commitOf([set('a', 1)], { key: 'k', recorded: { effect: 'pass' } }))
    const copy = structuredClone({ actors: before.actors, recorded: before.recorded, spawns: before.spawns })
    const { state } = foldCommits(before, commits)
    expect(before).toMatchObject(copy)
    expect([before.actors.size, before.recorded.size]).toEqual([copy.actors.size, copy.recorded.size])
    expect(state).not.toEqual(before)
  })
})

describe('inbox messages', () => {
  it('wait in the inbox of the other actor without changing its version', () => {
    const state = fold(commitOf([send('main', 'l1'), send('main', 'l1')], { agent: 'sub' }))
    expect(state.actors.get('main')).toMatchObject({ inbox: [letter('l1')], version: 0 })
    expect(state.actors.get('sub')).toMatchObject({ inbox: [], version: 1 })
  })

  it('are removed when delivered', () => {
    const state = fold(
      commitOf(
        ['l1', 'l2', 'l3'].map((id) => send('main', id)),
        { agent: 'sub' },
      ),
      commitOf([{ kind: 'deliver', ids: ['l3', 'l1', 'never sent'] }]),
    )
    expect(state.actors.get('main')?.inbox).toEqual([letter('l2')])
  })

  it('keep only the newest above the limit', () => {
    const many = Array.from({ length: LIMITS.inbox + 1 }, (_, n) => send('main', `l${n}`))
    const inbox = main(...many)?.inbox ?? []
    expect(inbox).toHaveLength(LIMITS.inbox)
    expect(inbox.at(-1)?.id).toBe(`l${LIMITS.inbox}`)
  })
})

describe('spawns', () => {
  const spawn = (type: string) => ({ kind: 'spawn', type })

  it('are used up oldest first, by type', () => {
    const spawns = [
      commitOf([spawn('a')], { agent: 'sub' }),
      commitOf([
        spawn('b'),
        spawn('a'),
        { kind: 'spawned', type: 'a' },
        { kind: 'spawned', type: 'unheard' },
      ]),
    ]
    expect(fold(...spawns).spawns).toEqual([
      { by: 'main', type: 'b' },
      { by: 'main', type: 'a' },
    ])
  })

  it('keep only the newest above the limit', () => {
    const many = Array.from({ length: LIMITS.spawns + 1 }, (_, n) => spawn(`t${n}`))
    const { spawns } = fold(commitOf(many))
    expect(spawns).toHaveLength(LIMITS.spawns)
    expect(spawns[0]?.type).toBe('t1')
  })
})

describe('versions', () => {
  test.each<[string, readonly unknown[], number]>([
    ['one commit counts once', [set('a', 1), set('b', 1)], 1],
    ['a change that changed nothing counts', [skill('a', false)], 1],
    ['an unknown change counts', [{ kind: 'later' }], 1],
    ['a clear counts once', [{ kind: 'clear' }], 1],
  ])('%s', (_, changes, version) => {
    expect(main(...changes)?.version).toBe(version)
  })

  it('do not change without a change', () => {
    const state = fold(commitOf([], { key: 'k', recorded: { effect: 'pass' } }))
    expect(state.actors.size).toBe(0)
    expect(state.recorded.get('k')).toEqual({ effect: 'pass' })
  })

  it('change for every actor at a clear, because it removes data that decisions depend on', () => {
    const before = fold(commitOf([set('a', 1), send('sub', 'l1')]), commitOf([set('a', 1)], { agent: 'sub' }))
    const cleared = foldCommit(before, commitOf([{ kind: 'spawn', type: 't' }, { kind: 'clear' }])).state
    expect(cleared.spawns).toEqual([])
    expect(cleared.actors.get('sub')).toMatchObject({ memory: {}, inbox: [], version: 2 })
    expect(foldCommit(cleared, commitOf([set('a', 2)], { agent: 'sub', base: 1 })).applied).toBe(false)
  })
})

describe('void commits', () => {
  it('do not change the state', () => {
    const state = fold(commitOf([set('a', 1)], { key: 'k' }))
    for (const commit of [commitOf([set('a', 2)], { key: 'k' }), commitOf([set('a', 2)], { base: 0 })]) {
      expect(foldCommit(state, commit)).toEqual({ state, applied: false })
      expect(foldCommit(state, commit).state).toBe(state)
    }
  })

  it('do not use their key', () => {
    const state = fold(commitOf([set('a', 1)]))
    const late = foldCommit(state, commitOf([set('a', 2)], { key: 'k', base: 0, recorded: {} }))
    expect(late.state.recorded.size).toBe(0)
    expect(foldCommit(late.state, commitOf([set('a', 2)], { key: 'k', base: 1 })).applied).toBe(true)
  })

  it('are recognised by their key longer than their decision is kept', () => {
    const many = Array.from({ length: LIMITS.recorded + 1 }, (_, n) =>
      commitOf([], { key: `k${n}`, recorded: { n } }),
    )
    const state = fold(...many)
    expect(state.recorded.size).toBe(LIMITS.recorded)
    expect(state.recorded.has('k0')).toBe(false)
    expect(foldCommit(state, commitOf([set('a', 1)], { key: 'k0' })).applied).toBe(false)
  })

  it('are forgotten after enough commits', () => {
    const keys = Array.from({ length: LIMITS.keys + 100 }, (_, n) => commitOf([], { key: `k${n}` }))
    const kept = allKeys(fold(...keys).keys)
    expect(kept.length).toBeGreaterThanOrEqual(LIMITS.keys)
    expect(kept.length).toBeLessThan(keys.length)
  })
})
