import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { encodePush, MAIN_BRANCH, type Push } from '../../../../src/daemon/fleet/push-format.ts'
import { GENESIS } from '../../../../src/storage/journal/chain.ts'
import { createMemoryStore } from '../../../../src/storage/journal/memory/store.ts'
import { KEPT, QUERY_CASES } from '../../../../src/storage/journal/query-cases.contract.ts'
import { recordOf } from '../../../../src/storage/journal/store.contract.ts'
import type { JournalRecord, Store } from '../../../../src/storage/journal/store.ts'
import { checkPush } from './place-push.ts'
import type { FleetQuery, Sink } from './sink.ts'

export const CONTRACT_TOKEN = 'token-of-the-contract'

interface SinkContract {
  readonly name: string
  /** A sink that accepts `CONTRACT_TOKEN`; empty for the first test. */
  open(): Promise<Sink>
}

/** What every sink must do. */
export function sinkContract({ name, open }: SinkContract): void {
  describe(`sink ${name}`, () => {
    let sink: Sink
    let machine: string
    let store: Store
    let counter: number
    beforeAll(async () => {
      sink = await open()
    })
    afterAll(() => sink.close())
    beforeEach(async () => {
      machine = randomUUID()
      store = createMemoryStore()
      counter = 0
      expect(await registered()).toBe('registered')
    })

    const registered = (more: Partial<Parameters<Sink['register']>[0]> = {}) =>
      sink.register({
        machine,
        publicKey: 'key',
        token: CONTRACT_TOKEN,
        labels: {},
        ...more,
      })

    function add(...records: readonly Partial<JournalRecord>[]): void {
      store.append(records.map((record) => recordOf({ id: randomUUID(), ...record })))
    }

    function pushAfter(after: number, more: Partial<Push> = {}, from: Store = store): Push {
      const { previous, rows } = from.chain(after, 1_000)
      counter += 1
      const sentAt = new Date().toISOString()
      return { machine, counter, sentAt, branch: MAIN_BRANCH, previous, rows, ...more }
    }

    const send = async (...pushes: readonly Push[]) => sink.append(pushes.map(checkPush))
    async function all(query: FleetQuery = {}): Promise<readonly JournalRecord[]> {
      const found: JournalRecord[] = []
      for await (const { record } of sink.read({ machine, ...query })) found.push(record)
      return found
    }
    const kinds = async () =>
      (await sink.findings(machine)).map(({ kind, seq, branch }) => [kind, seq, branch])
    const checked = () => sink.verify(machine)

    it('stores the records of a push in order, as they were written', async () => {
      add(
        { input: 'a' },
        { input: 'b\tc\\d\ne"' },
        { input: '\u0000 \ud800 é🙂', because: ['x "y" \\z', ''] },
      )
      const [reply] = await send(pushAfter(0))
      expect(reply).toEqual({ kind: 'stored', head: { seq: 3, hash: store.chain(3, 0).previous.hash } })
      expect(await all()).toEqual([...store.read({})].map(({ record }) => record))
      expect(await checked()).toEqual([expect.objectContaining({ ok: true, records: 3, erased: 0, machine })])
      expect(await kinds()).toEqual([])
    })

    it('stores each record once, however often and in whatever pieces it is sent', async () => {
      add({}, {}, {}, {})
      const first = pushAfter(0)
      for (const push of [
        first,
        first,
        { ...first, rows: first.rows.slice(0, 2) },
        pushAfter(1),
        pushAfter(3),
        pushAfter(4),
      ]) {
        expect(await send(push)).toMatchObject([{ kind: 'stored', head: { seq: 4 } }])
      }
      add({})
      expect(await send(pushAfter(2))).toMatchObject([{ kind: 'stored', head: { seq: 5 } }])
      expect(await send(first)).toMatchObject([{ kind: 'stored', head: { seq: 5 } }])
      expect(await all()).toHaveLength(5)
      expect(await checked()).toMatchObject([{ ok: true, records: 5 }])
    })

    it('stores each record once if the same push arrives many times at once', async () => {
      add(...Array.from({ length: 50 }, () => ({})))
      const push = pushAfter(0)
      const replies = await Promise.all(Array.from({ length: 8 }, () => send(push)))
      expect(new Set(replies.map(([reply]) => JSON.stringify(reply))).size).toBe(1)
      expect(await all()).toHaveLength(50)
      expect(await checked()).toMatchObject([{ ok: true, records: 50 }])
    })

    it('asks for what is missing in between, and notes a gap if the machine has it no more', async () => {
      add({}, {}, {}, {})
      await send({ ...pushAfter(0), rows: store.chain(0, 1).rows })
      expect(await send(pushAfter(3))).toMatchObject([{ kind: 'behind', head: { seq: 1 } }])
      expect(await all()).toHaveLength(1)
      expect(await send(pushAfter(3, { oldest: true }))).toMatchObject([{ kind: 'stored', head: { seq: 4 } }])
      expect(await kinds()).toEqual([['gap', 2, 'main']])
      expect(await checked()).toMatchObject([{ ok: false, brokenAt: 2 }])
    })

    it('keeps a record that was changed, and shows it', async () => {
      add({ input: 'a' }, { input: 'b' }, { input: 'c' })
      const push = pushAfter(0)
      const rows = push.rows.map((row) =>
        row.seq === 2 ? { ...row, text: row.text.replace('"b"', '"evil"') } : row,
      )
      expect(await send({ ...push, rows })).toMatchObject([{ kind: 'stored', head: { seq: 3 } }])
      expect((await all()).map(({ input }) => input)).toEqual(['a', 'evil', 'c'])
      expect(await kinds()).toEqual([['changed', 2, 'main']])
      expect(await checked()).toMatchObject([{ ok: false, brokenAt: 2 }])
    })

    it('keeps a record that is not JSON any more as evidence', async () => {
      add({}, {})
      const push = pushAfter(0)
      const rows = push.rows.map((row) =>
        row.seq === 1 ? { ...row, text: 'no\u0000 JSON', salt: 'zz' } : row,
      )
      expect(await send({ ...push, rows })).toMatchObject([{ kind: 'stored', head: { seq: 2 } }])
      expect(await kinds()).toEqual([['changed', 1, 'main']])
    })

    it('finds two journals under one identity, and keeps both', async () => {
      add({ id: 'a1' }, { id: 'a2' })
      await send(pushAfter(0))
      const other = createMemoryStore()
      other.append(['b1', 'b2'].map((id) => recordOf({ id })))
      expect(await send(pushAfter(0, {}, other))).toMatchObject([{ kind: 'fork', head: { seq: 2 } }])
      expect(await sink.hashes(machine, 'main', [1, 2, 3])).toEqual({
        hashes: { 1: store.chain(1, 0).previous.hash, 2: store.chain(2, 0).previous.hash },
        oldest: 1,
      })
      const parent = { branch: 'main', seq: 0, hash: GENESIS }
      expect(await send(pushAfter(0, { branch: 'second', parent }, other))).toMatchObject([
        { kind: 'stored', head: { seq: 2 } },
      ])
      expect((await all()).map(({ id }) => id).sort()).toEqual(['a1', 'a2', 'b1', 'b2'])
      expect(await kinds()).toEqual([['restart', 1, 'second']])
      expect((await checked()).map(({ ok }) => ok)).toEqual([true, true])
    })

    it('stores pushes of several machines together, and one that cannot be stored harms no other', async () => {
      add({})
      const stranger = { ...pushAfter(0), machine: randomUUID() }
      const second = randomUUID()
      await registered({ machine: second })
      const replies = await send(stranger, pushAfter(0), { ...pushAfter(0), machine: second })
      expect(replies.map(({ kind }) => kind)).toEqual(['revoked', 'stored', 'stored'])
    })

    it('accepts records of a clock that is a year off, and says so', async () => {
      const year = 365 * 24 * 60 * 60 * 1000
      for (const offMs of [-year, year]) {
        machine = randomUUID()
        store = createMemoryStore()
        await registered()
        const wrong = new Date(Date.now() + offMs)
        add({ id: 'r1', at: wrong.toISOString() })
        expect(await send(pushAfter(0, { sentAt: wrong.toISOString() }))).toMatchObject([{ kind: 'stored' }])
        expect(await kinds()).toEqual([['clock', 0, 'main']])
        const since = new Date(Date.now() - 60_000).toISOString()
        expect(await all({ since })).toMatchObject([{ id: 'r1', at: wrong.toISOString() }])
      }
    })

    it('registers a machine only with a token, and never a second key for the same machine', async () => {
      expect(await registered({ machine: randomUUID(), token: 'wrong' })).toBe('token')
      expect(await registered({ publicKey: 'other' })).toBe('taken')
      expect(await registered({ token: 'wrong' })).toBe('registered')
      expect(await sink.machineKey(machine)).toMatchObject({ publicKey: 'key', revoked: false })
      expect(await sink.machineKey(randomUUID())).toBeUndefined()
    })

    it('knows what the bearer of a token may do', async () => {
      expect(await sink.roleOf(CONTRACT_TOKEN)).toBe('push')
      expect(await sink.roleOf('')).toBeUndefined()
    })

    it('refuses a machine whose key was revoked, until it has a new key', async () => {
      add({}, {})
      await send({ ...pushAfter(0), rows: store.chain(0, 1).rows })
      expect(await sink.revoke(machine)).toBe(true)
      expect(await sink.revoke(randomUUID())).toBe(false)
      expect(await sink.machineKey(machine)).toMatchObject({ revoked: true })
      expect(await send(pushAfter(0))).toEqual([{ kind: 'revoked' }])
      expect(await registered()).toBe('taken')
      expect(await registered({ publicKey: 'new' })).toBe('registered')
      expect(await send(pushAfter(0))).toMatchObject([{ kind: 'stored', head: { seq: 2 } }])
      expect(await all()).toHaveLength(2)
    })

    it('erases by record, session, machine and person, and every chain still verifies', async () => {
      const ids = Array.from({ length: 6 }, () => randomUUID())
      add(...ids.map((id, n) => ({ id, session: n < 2 ? `${machine} s1` : `${machine} s2` })))
      await send(pushAfter(0, { status: { user: `person of ${machine}` } }))
      expect(await sink.erase({ record: ids[5] ?? '' }, 'test')).toBe(1)
      expect(await sink.erase({ record: ids[5] ?? '' }, 'test')).toBe(0)
      expect(await sink.erase({ session: `${machine} s1` }, 'test')).toBe(2)
      expect(await checked()).toMatchObject([{ ok: true, records: 6, erased: 3 }])
      expect(await sink.erase({ user: `person of ${machine}` }, 'test')).toBe(3)
      expect(await checked()).toMatchObject([{ ok: true, records: 6, erased: 6 }])
      expect(await all()).toEqual([])
      add({ id: 'after' })
      expect(await send(pushAfter(6))).toMatchObject([{ kind: 'stored', head: { seq: 7 } }])
      expect(await sink.erase({ machine }, 'test')).toBe(1)
      expect(await checked()).toMatchObject([{ ok: true, records: 7, erased: 7 }])
    })

    it('takes records that the machine itself had erased', async () => {
      add({ id: 'r1' }, { id: 'r2' })
      store.erase('r1')
      expect(await send(pushAfter(0))).toMatchObject([{ kind: 'stored' }])
      expect((await all()).map(({ id }) => id)).toEqual(['r2'])
      expect(await checked()).toMatchObject([{ ok: true, records: 2, erased: 1 }])
    })

    it('is not made to think that a machine is alive by an old push', async () => {
      add({})
      const old = pushAfter(0, { status: { version: '1.0.0' } })
      const next = pushAfter(1, { status: { version: '2.0.0' } })
      await send(next)
      expect(await send(old)).toMatchObject([{ kind: 'stored' }])
      expect(await all()).toHaveLength(1)
    })

    describe('asked for records', () => {
      beforeEach(async () => {
        add(...KEPT)
        await send(pushAfter(0))
      })
      test.each(QUERY_CASES)('finds %j', async (query, ids) => {
        expect((await all(query)).map(({ id }) => id)).toEqual(ids)
      })
      it('finds a project by the name of its folder, and records before a time', async () => {
        expect((await all({ project: 'q' })).map(({ id }) => id)).toEqual(['r4'])
        expect((await all({ until: '2026-01-02' })).map(({ id }) => id)).toEqual(['r1'])
        expect(await all({ team: 'nobody' })).toEqual([])
      })
    })

    it('reads more records than fit into one answer of the database', async () => {
      add(...Array.from({ length: 1_200 }, (_, n) => ({ id: `r${n}` })))
      await send({ ...pushAfter(0), rows: store.chain(0, 1_200).rows })
      expect(await all()).toHaveLength(1_200)
      for await (const { seq } of sink.read({ machine })) if (seq === 3) break
      expect(await all({ limit: 700 })).toHaveLength(700)
    })

    it('has an encoding that a machine can send', () => {
      add({})
      expect(encodePush(pushAfter(0)).length).toBeGreaterThan(100)
      expect(pushAfter(0).previous.hash).toBe(GENESIS)
    })
  })
}
