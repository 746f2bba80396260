import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allKeys, hasKey, type RecentKeys, recentKeys, writeKeys } from './recent-keys.ts'

const MAX = 200

describe('recent keys', () => {
  it('are the last ones, in their order, whatever states they came through', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 90 }), { maxLength: 12 }), (steps) => {
        let keys: RecentKeys = []
        const added: string[] = []
        for (const step of steps) {
          const writer = writeKeys(keys)
          const before = allKeys(keys)
          for (let i = 0; i < step; i += 1) {
            const key = `key ${added.length}`
            added.push(key)
            writer.add(key, MAX)
            expect(writer.has(key)).toBe(true)
          }
          // The state before stays as it was.
          expect(allKeys(keys)).toEqual(before)
          keys = writer.keys()
        }
        const kept = allKeys(keys)
        expect(kept).toEqual(added.slice(added.length - kept.length))
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(added.length, MAX))
        expect(kept.length).toBeLessThan(MAX + 64)
        expect(kept.every((key) => hasKey(keys, key))).toBe(true)
        expect(allKeys(recentKeys(kept, MAX))).toEqual(kept)
      }),
    )
  })

  it('of a state with one more key are the same pieces, except the last one', () => {
    const keys = recentKeys(
      Array.from({ length: 150 }, (_, i) => `${i}`),
      MAX,
    )
    const writer = writeKeys(keys)
    writer.add('one more', MAX)
    const more = writer.keys()
    expect(more.slice(0, -1)).toEqual(keys.slice(0, -1))
    expect(more.slice(0, -1).every((piece, at) => piece === keys[at])).toBe(true)
    expect(more.at(-1)).not.toBe(keys.at(-1))
  })
})
