import { describe, expect, it, test } from 'vitest'
import type { Json } from '../json.ts'
import { type FoldedSession, LIMITS } from './fold.ts'
import { allKeys, recentKeys } from './recent-keys.ts'
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts'

const ACTOR = { skills: ['s'], inbox: [], memory: { a: 1 }, version: 2, ended: false }
const SESSION: FoldedSession = {
  actors: new Map([['main', ACTOR]]),
  recorded: new Map([['k', { effect: 'deny' }]]),
  spawns: [{ by: 'main', type: 'writer' }],
  keys: recentKeys(['k', 'l'], LIMITS.keys),
  damaged: true,
}
const snapshot = () => JSON.parse(JSON.stringify(encodeSnapshot(SESSION)))

describe('a snapshot', () => {
  it('is the whole session', () => {
    const read = decodeSnapshot(snapshot())
    expect(read).toEqual(SESSION)
    expect(allKeys(read?.keys ?? [])).toEqual(['k', 'l'])
    expect(decodeSnapshot({ ...snapshot(), damaged: false })?.damaged).toBe(false)
  })

  it('keeps no more keys than a session does', () => {
    const keys = Array.from({ length: LIMITS.keys + 200 }, (_, n) => `k${n}`)
    const kept = allKeys(decodeSnapshot({ ...snapshot(), keys })?.keys ?? [])
    expect(kept.length).toBeLessThan(keys.length)
    expect(kept.at(-1)).toBe(keys.at(-1))
  })

  test.each<[string, Json | undefined]>([
    ['nothing', undefined],
    ['a text', 'x'],
    ['a list', []],
    ['no actors', { ...snapshot(), actors: {} }],
    ['an actor without a name', { ...snapshot(), actors: [[7, ACTOR]] }],
    ['an actor that is none', { ...snapshot(), actors: [['main', 7]] }],
    ['something else among the actors', { ...snapshot(), actors: [['main', ACTOR], 'x'] }],
    ['decisions that are none', { ...snapshot(), recorded: [['k', 'deny']] }],
    ['no calls', { ...snapshot(), spawns: {} }],
    ['no keys', { ...snapshot(), keys: 'k' }],
    ['no word on damage', { ...snapshot(), damaged: 'no' }],
  ])('with %s is none', (_what, value) => {
    expect(decodeSnapshot(value)).toBeUndefined()
  })
})
