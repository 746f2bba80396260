import { describe, expect, it, test } from 'vitest'
import { chainHash, digestOf, GENESIS } from './chain.ts'
import { KEPT, QUERY_CASES } from './query-cases.contract.ts'
import type { JournalRecord, Store } from './store.ts'

/** What every journal must do. `open` returns a new, empty journal at each call. */
export function storeContract({ name, open }: { readonly name: string; open(): Store }): void {
  describe(`store ${name}`, () => {
    function holding(...records: readonly Partial<JournalRecord>[]): Store {
      const store = open()
      store.append(records.map(recordOf))
      return store
    }

    it('is empty at first, and verifies', () => {
      const store = open()
      expect([...store.read({})]).toEqual([])
      expect(store.find('r1')).toBeUndefined()
      expect(store.verify()).toMatchObject({ ok: true, records: 0 })
      expect(store.retain({ keepDays: 1, keepMegabytes: 1, now: new Date() })).toBe(0)
    })

    it('reports the number of its records in correct English', () => {
      expect(holding({ id: 'a' }).verify().message).toBe('1 record, the chain is whole')
      expect(holding({ id: 'a' }, { id: 'b' }).verify().message).toBe('2 records, the chain is whole')
    })

    it('returns what was appended, in order and numbered from 1', () => {
      const store = open()
      const records = [recordOf({ id: 'b' }), recordOf({ id: 'a', input: 'ls' }), recordOf({ id: 'c' })]
      store.append(records.slice(0, 2))
      store.append([])
      store.append(records.slice(2))
      const stored = [...store.read({})]
      expect(stored.map(({ record }) => record)).toEqual(records)
      expect(stored.map(({ seq }) => seq)).toEqual([1, 2, 3])
      expect(new Set(stored.map(({ hash }) => hash)).size).toBe(3)
      expect(store.find('a')).toEqual(stored[1])
    })

    it('chains salted digests: the same record has another hash at another position and in another journal', () => {
      const hashes = (store: Store) => [...store.read({})].map(({ hash }) => hash)
      const [first, second] = hashes(holding({ id: 'x' }, { id: 'x' }))
      expect(first).not.toBe(second)
      expect(hashes(holding({ id: 'x' }))).not.toEqual([first])
    })

    it('erases a record, and the chain still verifies', () => {
      const store = holding({ id: 'r1' }, { id: 'r2', input: 'a secret' }, { id: 'r3' })
      expect(store.erase('nobody')).toBe('unknown')
      expect(store.erase('')).toBe('unknown')
      expect(store.erase('r2')).toBe('erased')
      expect(store.find('r2')).toBeUndefined()
      expect([...store.read({})].map(({ record }) => record.id)).toEqual(['r1', 'r3'])
      expect(store.verify()).toMatchObject({ ok: true, records: 3, erased: 1 })
      expect(store.erase('r2')).toBe('unknown')
      store.append([recordOf({ id: 'r4' })])
      expect(store.find('r4')?.seq).toBe(4)
      expect(store.verify()).toMatchObject({ ok: true, records: 4, erased: 1 })
      expect(store.retain({ keepDays: 0, now: new Date('2027-01-01') })).toBe(4)
      expect(store.verify()).toMatchObject({ ok: true, records: 0 })
    })

    it('hands out the rows of the chain, so that a copy can be verified', () => {
      const store = holding({ id: 'r1' }, { id: 'r2' }, { id: 'r3' })
      const { previous, rows } = store.chain(0, 10)
      expect(previous).toEqual({ seq: 0, hash: GENESIS })
      expect(rows.map(({ text }) => JSON.parse(text).id)).toEqual(['r1', 'r2', 'r3'])
      let { hash } = previous
      for (const row of rows) {
        expect(digestOf(row.salt, row.text)).toBe(row.digest)
        expect(chainHash(hash, row.digest)).toBe(row.hash)
        hash = row.hash
      }
      expect(store.chain(1, 1)).toEqual({ previous: { seq: 1, hash: rows[0]?.hash }, rows: [rows[1]] })
      expect(store.chain(3, 10)).toEqual({ previous: { seq: 3, hash }, rows: [] })
      expect(store.chain(9, 10)).toEqual({ previous: { seq: 3, hash }, rows: [] })
      store.erase('r2')
      expect(store.chain(1, 1).rows).toEqual([{ ...rows[1], salt: '', text: '' }])
    })

    it('hands out what is left after the oldest records were dropped', () => {
      const store = holding(...KEPT)
      const before = store.chain(0, 10).rows
      store.retain({ keepDays: 2, now: new Date('2026-01-05T00:00:00.000Z') })
      const { previous, rows } = store.chain(0, 10)
      expect(previous).toEqual({ seq: 2, hash: before[1]?.hash })
      expect(rows).toEqual(before.slice(2))
    })

    it('keeps every text unchanged, and still verifies', () => {
      const odd = [
        '',
        '\u0000',
        'a\u0000b',
        '\n',
        "'; DROP TABLE records; --",
        '\ud800',
        'é🙂',
        'x'.repeat(100_000),
      ]
      const records = odd.map((text) =>
        recordOf({ id: text, session: text, input: text, because: [text], tool: text }),
      )
      const store = open()
      store.append(records)
      expect([...store.read({})].map(({ record }) => record)).toEqual(records)
      expect(store.verify()).toMatchObject({ ok: true, records: odd.length })
      for (const session of ['', "'; DROP TABLE records; --", 'é🙂']) {
        expect([...store.read({ session })].map(({ record }) => record.id)).toEqual([session])
      }
    })

    it('keeps unknown fields', () => {
      const store = open()
      const later = { ...recordOf({ id: 'r1' }), later: { than: 'us' } }
      store.append([later])
      expect(store.find('r1')?.record).toEqual(later)
    })

    test.each(QUERY_CASES)('finds %j', (query, ids) => {
      expect([...holding(...KEPT).read(query)].map(({ record }) => record.id)).toEqual(ids)
    })

    it('lists sessions by their last record, and continues the list', () => {
      const store = holding(...KEPT, { id: 'r5', session: '' }, { id: 'r6', session: 's1', effect: 'deny' })
      const [first, second, ...rest] = store.sessions({ limit: 5 })
      expect(rest).toEqual([])
      expect(first).toMatchObject({
        session: 's1',
        records: 3,
        agents: 2,
        effects: { pass: 1, allow: 0, ask: 0, deny: 2 },
        from: '2026-01-01T00:00:00.000Z',
        isCut: false,
        last: { seq: 6, record: { id: 'r6' } },
      })
      expect(second).toMatchObject({ session: 's2', records: 2, last: { seq: 4 } })
      expect(store.sessions({ limit: 1 }).map(({ session }) => session)).toEqual(['s1'])
      expect(store.sessions({ limit: 5, before: 6 }).map(({ session }) => session)).toEqual(['s2'])
      expect(store.sessions({ limit: 5, before: 1 })).toEqual([])
    })

    it('reads a long journal, even while it grows', () => {
      const store = open()
      const count = 1_234
      store.append(Array.from({ length: count }, (_, n) => recordOf({ id: `r${n}` })))
      const seen: number[] = []
      for (const { seq } of store.read({})) {
        seen.push(seq)
        if (seq % 100 === 0) store.append([recordOf({ id: `new${seq}` })])
      }
      expect(seen).toEqual(Array.from({ length: count }, (_, n) => n + 1))
      expect([...store.read({ limit: 700 })]).toHaveLength(700)
      expect(store.verify().ok).toBe(true)
    })

    it('appends all or nothing', () => {
      const store = holding({ id: 'r1' })
      const circle: Record<string, unknown> = {}
      circle.self = circle
      for (const broken of [
        { extra: circle },
        { durationMs: Number.NaN },
        { effect: 'maybe' },
        { id: undefined },
      ]) {
        const record = { ...recordOf({ id: 'r3' }), ...broken } as unknown as JournalRecord
        expect(() => store.append([recordOf({ id: 'r2' }), record])).toThrow()
      }
      expect([...store.read({})].map(({ record }) => record.id)).toEqual(['r1'])
      store.append([recordOf({ id: 'r4' })])
      expect(store.find('r4')?.seq).toBe(2)
      expect(store.verify()).toMatchObject({ ok: true, records: 2 })
    })

    it('drops records that are too old, and continues to count', () => {
      const store = holding(...KEPT)
      const now = new Date('2026-01-05T00:00:00.000Z')
      expect(store.retain({ keepDays: 30, now })).toBe(0)
      expect(store.retain({ keepDays: 2, now })).toBe(2)
      expect([...store.read({})].map(({ seq }) => seq)).toEqual([3, 4])
      expect(store.verify()).toMatchObject({ ok: true, records: 2 })
      expect(store.retain({ keepDays: 0, now })).toBe(2)
      expect(store.verify()).toMatchObject({ ok: true, records: 0 })
      store.append([recordOf({ id: 'r5' })])
      expect(store.find('r5')?.seq).toBe(5)
      expect(store.verify()).toMatchObject({ ok: true, records: 1 })
    })

    it('drops only from the start, so that no record in between is missing', () => {
      const store = holding(
        { id: 'new', at: '2026-01-05T00:00:00.000Z' },
        { id: 'late', at: '2025-01-01T00:00:00.000Z' },
      )
      expect(store.retain({ keepDays: 1, now: new Date('2026-01-05T12:00:00.000Z') })).toBe(0)
      expect(store.verify()).toMatchObject({ ok: true, records: 2 })
    })

    it('drops the oldest records beyond a size', () => {
      const store = holding(
        ...Array.from({ length: 30 }, (_, n) => ({ id: `r${n}`, input: 'x'.repeat(100_000) })),
      )
      const now = new Date()
      expect(store.retain({ keepMegabytes: 10, now })).toBe(0)
      const dropped = store.retain({ keepMegabytes: 1, now })
      expect(dropped).toBeGreaterThan(18)
      expect(dropped).toBeLessThan(23)
      expect(store.find('r29')).toBeDefined()
      expect(store.verify()).toMatchObject({ ok: true, records: 30 - dropped })
      expect(store.retain({ keepMegabytes: 0, now })).toBe(30 - dropped)
    })

    it('refuses everything once it is closed', () => {
      const store = holding({ id: 'r1' })
      store.close()
      store.close()
      expect(() => store.append([recordOf({ id: 'r2' })])).toThrow('closed')
      expect(() => [...store.read({})]).toThrow('closed')
      expect(() => store.find('r1')).toThrow('closed')
      expect(() => store.verify()).toThrow('closed')
      expect(() => store.retain({ now: new Date() })).toThrow('closed')
    })
  })
}

export function recordOf(more: Partial<JournalRecord>): JournalRecord {
  return {
    id: 'r',
    at: '2026-01-15T12:00:00.000Z',
    host: 'test',
    event: 'PreToolUse',
    session: 's',
    cwd: '/p',
    project: '/p',
    effect: 'pass',
    because: [],
    durationMs: 1,
    revision: 'rev',
    ...more,
  }
}
