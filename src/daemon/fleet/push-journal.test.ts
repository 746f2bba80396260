import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { bad, good, type Result } from '../../core/errors.ts'
import { GENESIS } from '../../storage/journal/chain.ts'
import type { ChainRow } from '../../storage/journal/store.ts'
import { sha256 } from '../../system/sha256.ts'
import type { FleetHttp, FleetRequest, FleetResponse } from './http.ts'
import { newMachine } from './machine.ts'
import { type ChainEnd, decodePush, type Push } from './push-format.ts'
import { type ChainSource, type PushContext, type PushCursor, pushJournal } from './push-journal.ts'
import { isSignedBy, MACHINE_HEADER, SIGNATURE_HEADER } from './request-signature.ts'

const machine = newMachine()
const ADDRESS = 'https://collector.example.com'

/** `life`: records of another life have other hashes. */
function row(seq: number, life = 'one', text = `record ${seq}`): ChainRow {
  return { seq, hash: sha256(Buffer.from(`${life} ${seq}`)), salt: 'salt', digest: 'digest', text }
}
const rows = (from: number, to: number, life = 'one') =>
  Array.from({ length: to - from + 1 }, (_, i) => row(from + i, life))
const endOf = ({ seq, hash }: ChainRow): ChainEnd => ({ seq, hash })

function journalOf(all: readonly ChainRow[], anchor: ChainEnd = { seq: 0, hash: GENESIS }): ChainSource {
  return {
    chain(after, limit) {
      const before = all.filter(({ seq }) => seq <= after)
      const { seq, hash } = before.at(-1) ?? anchor
      return { previous: { seq, hash }, rows: all.slice(before.length, before.length + limit) }
    },
  }
}

/** What a collector does with pushes, in a few lines. */
let stored: Map<string, ChainRow[]>
/** Records that the collector has dropped. */
let droppedTo: number
let requests: FleetRequest[]
let pushes: Push[]
/** Answers instead of the collector's own, for the next requests to a path. */
let answers: Map<string, (FleetResponse | Result<never>)[]>
let cursor: PushCursor | undefined

beforeEach(() => {
  stored = new Map()
  droppedTo = 0
  requests = []
  pushes = []
  answers = new Map()
  cursor = undefined
})

const respond = (status: number, value: unknown = {}, headers = {}): FleetResponse => ({
  status,
  headers,
  body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
})

function answerPush(push: Push): FleetResponse {
  const { branch, previous, parent } = push
  const known = stored.get(branch) ?? (parent === undefined ? [] : rowsTo(parent))
  const last = known.at(-1)
  const head = last === undefined ? { seq: 0, hash: GENESIS } : endOf(last)
  const same = known.find(({ seq }) => seq === previous.seq) ?? { seq: 0, hash: GENESIS }
  if (previous.seq > head.seq && push.oldest !== true) return respond(409, { kind: 'behind', head })
  if (previous.seq <= head.seq && same.hash !== previous.hash) return respond(409, { kind: 'fork', head })
  const fresh = push.rows.filter(({ seq }) => seq > head.seq)
  stored.set(branch, [...known, ...fresh])
  const newest = fresh.at(-1)
  return respond(200, { kind: 'stored', head: newest === undefined ? head : endOf(newest) })
}

function rowsTo({ branch, seq }: { readonly branch: string; readonly seq: number }): ChainRow[] {
  return (stored.get(branch) ?? []).filter((each) => each.seq <= seq)
}

const http: FleetHttp = {
  async send(request) {
    requests.push(request)
    const path = request.url.pathname.replace(/^.*(?=\/v1\/)/, '')
    const body = request.body ?? Buffer.alloc(0)
    const push = path === '/v1/push' ? decodePush(gunzipSync(body)) : undefined
    if (push?.ok === true) pushes.push(push.value)
    const given = answers.get(path)?.shift()
    if (given !== undefined) return 'ok' in given ? given : good(given)
    if (push !== undefined) return good(push.ok ? answerPush(push.value) : respond(400, push.problem))
    if (path === '/v1/machines') return good(respond(200))
    const { branch, seqs } = JSON.parse(body.toString()) as { branch: string; seqs: number[] }
    const there = (stored.get(branch) ?? []).filter(({ seq }) => seq > droppedTo && seqs.includes(seq))
    const hashes = Object.fromEntries(there.map(({ seq, hash }) => [seq, hash]))
    return good(respond(200, { hashes, ...(droppedTo === 0 ? {} : { oldest: droppedTo + 1 }) }))
  },
  close() {},
}

function push(journal: ChainSource, more: Partial<PushContext> & { readonly limit?: number } = {}) {
  const { limit, ...rest } = more
  const context: PushContext = {
    url: ADDRESS,
    token: 'token',
    machine,
    labels: { team: 'web' },
    journal,
    cursor: {
      read: () => cursor,
      write: (next) => {
        cursor = next
      },
    },
    http,
    status: () => ({ agents: 2 }),
    now: () => new Date('2026-06-01T12:00:00.000Z'),
    ...rest,
  }
  return pushJournal(context, limit)
}

/** Until nothing is left, as the client does. */
async function pushAll(journal: ChainSource): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const pushed = await push(journal)
    if (!pushed.ok) throw new Error(pushed.problem.message)
    if (pushed.value.kind === 'later' || !pushed.value.more) return
  }
  throw new Error('it never ends')
}

const paths = () => requests.map(({ url }) => url.pathname)
const seqsOf = (branch: string) => (stored.get(branch) ?? []).map(({ seq }) => seq)
const branches = () => [...stored.keys()]

describe('a push', () => {
  it('registers the machine once, then sends what the collector does not have', async () => {
    expect(await push(journalOf(rows(1, 3)))).toEqual(good({ kind: 'stored', records: 3, more: false }))
    expect(paths()).toEqual(['/v1/machines', '/v1/push'])
    expect(JSON.parse(String(requests[0]?.body))).toEqual({
      token: 'token',
      machine: machine.id,
      publicKey: machine.publicKey,
      labels: { team: 'web' },
    })
    expect(await push(journalOf(rows(1, 5)))).toEqual(good({ kind: 'stored', records: 2, more: false }))
    expect(paths()).toEqual(['/v1/machines', '/v1/push', '/v1/push'])
    expect(pushes.map(({ rows, previous }) => [previous.seq, rows.map(({ seq }) => seq)])).toEqual([
      [0, [1, 2, 3]],
      [3, [4, 5]],
    ])
    expect(stored.get('main')).toEqual(rows(1, 5))
    expect(cursor).toMatchObject({ ...endOf(row(5)), branch: 'main', registeredAt: ADDRESS })
  })

  it('says who, when, how, and how often', async () => {
    await push(journalOf(rows(1, 1)))
    await push(journalOf(rows(1, 1)))
    expect(pushes[1]).toEqual({
      machine: machine.id,
      counter: (pushes[0]?.counter ?? 0) + 1,
      sentAt: '2026-06-01T12:00:00.000Z',
      branch: 'main',
      previous: endOf(row(1)),
      status: { agents: 2 },
      rows: [],
    })
    for (const { url, method, headers = {}, body = Buffer.alloc(0) } of requests) {
      const [id, signature] = [headers[MACHINE_HEADER] ?? '', headers[SIGNATURE_HEADER] ?? '']
      const signed = { path: url.pathname, machine: id, signature, body }
      expect([method, isSignedBy(signed, machine.key), id]).toEqual(['POST', true, machine.id])
    }
    expect(requests.map(({ headers }) => headers?.['content-encoding'])).toEqual([undefined, 'gzip', 'gzip'])
  })

  it('uses no counter twice, even if it stopped in the middle', async () => {
    answers.set('/v1/push', [bad('FLEET_UNREACHABLE', 'gone')])
    expect(await push(journalOf(rows(1, 1)))).toMatchObject({ problem: { code: 'FLEET_UNREACHABLE' } })
    expect(cursor?.seq).toBe(0)
    await push(journalOf(rows(1, 1)))
    expect(new Set(pushes.map(({ counter }) => counter)).size).toBe(2)
    expect(seqsOf('main')).toEqual([1])
  })

  it('keeps the path of the address, with and without a slash at its end', async () => {
    for (const url of [`${ADDRESS}/fleet`, `${ADDRESS}/fleet/`]) await push(journalOf([]), { url })
    expect(paths()).toEqual(['/fleet/v1/machines', '/fleet/v1/push', '/fleet/v1/machines', '/fleet/v1/push'])
  })

  it('without a token registers with an empty one', async () => {
    const context = { journal: journalOf([]), token: undefined as unknown as string }
    await push(context.journal, context)
    expect(JSON.parse(String(requests[0]?.body)).token).toBe('')
  })

  it('takes at most 500 records, and says that there are more', async () => {
    const journal = journalOf(rows(1, 501))
    expect(await push(journal)).toEqual(good({ kind: 'stored', records: 500, more: true }))
    expect(await push(journal)).toEqual(good({ kind: 'stored', records: 1, more: false }))
  })

  it('takes two megabytes at most, but never less than one record', async () => {
    const half = 'x'.repeat(1024 * 1024)
    const journal = journalOf([
      row(1, 'one', half),
      row(2, 'one', half),
      row(3, 'one', 'x'),
      row(4, 'one', `${half}${half}x`),
    ])
    await pushAll(journal)
    expect(pushes.map(({ rows }) => rows.map(({ seq }) => seq))).toEqual([[1, 2], [3], [4]])
  })

  it('halves a batch that is too large for the collector, down to one record', async () => {
    answers.set('/v1/push', [respond(413), respond(413)])
    expect(await push(journalOf(rows(1, 9)), { limit: 9 })).toMatchObject({
      value: { records: 2, more: true },
    })
    expect(pushes.map(({ rows }) => rows.length)).toEqual([9, 4, 2])
    answers.set('/v1/push', [respond(413, { message: 'too large' })])
    expect(await push(journalOf(rows(1, 9)), { limit: 1 })).toMatchObject({
      problem: { code: 'COLLECTOR_REFUSED' },
    })
  })

  it('says that older records are gone, if the journal has dropped some that were never sent', async () => {
    await push(journalOf(rows(1, 2)))
    await push(journalOf(rows(6, 7), endOf(row(5))))
    expect(pushes.map(({ oldest }) => oldest)).toEqual([undefined, true])
    expect(seqsOf('main')).toEqual([1, 2, 6, 7])
    expect(branches()).toEqual(['main'])
  })
})

describe('an answer that is not the expected one', () => {
  test.each([429, 502, 503, 504])('%i is a pause', async (status) => {
    for (const path of ['/v1/machines', '/v1/push']) {
      answers.set(path, [respond(status, {}, { 'retry-after': '7' })])
      expect(await push(journalOf(rows(1, 1)))).toEqual(good({ kind: 'later', retryAfterMs: 7000 }))
    }
  })

  test.each<[string, FleetResponse, string]>([
    ['a message', respond(403, { message: 'Unknown token.' }), 'status 403: Unknown token.'],
    ['no message', respond(500, { message: 7 }), 'status 500.'],
    ['a list', respond(500, '[]'), 'status 500.'],
    ['no JSON', respond(500, '<html>'), 'status 500.'],
    ['a long message', respond(400, { message: 'x'.repeat(400) }), `status 400: ${'x'.repeat(300)}.`],
  ])('a refusal with %s is shown', async (_what, response, says) => {
    for (const path of ['/v1/machines', '/v1/push']) {
      answers.set(path, [response])
      const message = `The collector ${ADDRESS} answers with ${says}`
      expect(await push(journalOf([]))).toMatchObject({ problem: { code: 'COLLECTOR_REFUSED', message } })
    }
    expect(cursor?.seq).toBe(0)
  })

  test.each([
    ['a success', 200, {}],
    ['no success', 201, { kind: 'stored', head: endOf(row(1)) }],
    ['a conflict', 409, { kind: 'other', head: endOf(row(1)) }],
  ])('%s without a reply confirms nothing', async (_what, status, value) => {
    answers.set('/v1/push', [respond(status, value)])
    expect(await push(journalOf(rows(1, 1)))).toMatchObject({ problem: { code: 'COLLECTOR_REFUSED' } })
    expect(cursor?.seq).toBe(0)
  })

  it('a machine that was not registered is registered at the next push', async () => {
    answers.set('/v1/machines', [bad('FLEET_UNREACHABLE', 'gone')])
    expect(await push(journalOf([]))).toMatchObject({ problem: { code: 'FLEET_UNREACHABLE' } })
    expect(cursor?.registeredAt).toBeUndefined()
    await push(journalOf([]))
    expect(paths()).toEqual(['/v1/machines', '/v1/machines', '/v1/push'])
  })
})

describe('a collector and a journal that differ', () => {
  it('a collector that was restored from a copy gets the rest again, on the same branch', async () => {
    await push(journalOf(rows(1, 6)))
    stored.set('main', rows(1, 4))
    await pushAll(journalOf(rows(1, 8)))
    expect(stored.get('main')).toEqual(rows(1, 8))
    expect(branches()).toEqual(['main'])
    expect(cursor).toMatchObject({ ...endOf(row(8)), branch: 'main' })
  })

  it('one that was restored further back than the journal reaches gets what is left, on the same branch', async () => {
    await push(journalOf(rows(1, 6)))
    stored.set('main', rows(1, 3))
    await pushAll(journalOf(rows(6, 8), endOf(row(5))))
    expect(seqsOf('main')).toEqual([1, 2, 3, 6, 7, 8])
    expect(branches()).toEqual(['main'])
  })

  it('one that has lost everything gets everything', async () => {
    await push(journalOf(rows(1, 3)))
    stored.clear()
    expect(await push(journalOf(rows(1, 3)))).toEqual(good({ kind: 'stored', records: 0, more: true }))
    await pushAll(journalOf(rows(1, 3)))
    expect(stored).toEqual(new Map([['main', rows(1, 3)]]))
  })

  it('one that stored a push whose answer was lost is believed', async () => {
    await push(journalOf(rows(1, 2)))
    const before = cursor
    await push(journalOf(rows(1, 4)))
    cursor = before
    await pushAll(journalOf(rows(1, 5)))
    expect(stored.get('main')).toEqual(rows(1, 5))
    expect(branches()).toEqual(['main'])
  })

  test.each<[string, number, number, number]>([
    ['a journal that was started anew', 0, 5, 3],
    ['one that was started anew and is as long', 0, 5, 5],
    ['one that was started anew and is longer', 0, 5, 9],
    ['one that was rewritten near its end', 4, 5, 6],
    ['one that was cut and goes on differently', 2, 9, 4],
    ['one with hundreds of records in common', 300, 400, 420],
    ['one with thousands of records in common', 4_321, 5_000, 5_000],
  ])('%s goes on under a name of its own, from the last common record', async (_what, common, old, now) => {
    const known = rows(1, old)
    stored.set('main', known)
    cursor = { ...endOf(row(old)), branch: 'main', counter: 3, registeredAt: ADDRESS }
    const journal = journalOf([...rows(1, common), ...rows(common + 1, now, 'two')])
    await pushAll(journal)
    const [main, other = ''] = branches()
    expect([main, other]).toEqual(['main', expect.stringMatching(/^[0-9a-f]{12}$/)])
    expect(stored.get('main')).toEqual(known)
    expect(stored.get(other)).toEqual([...rows(1, common), ...rows(common + 1, now, 'two')])
    const first = pushes.find(({ branch }) => branch === other)
    const at = common === 0 ? { seq: 0, hash: GENESIS } : endOf(row(common))
    expect(first).toMatchObject({ previous: at, parent: { ...at, branch: 'main' } })
    // Known to the collector from then on.
    await push(journalOf([...rows(1, common), ...rows(common + 1, now + 1, 'two')]))
    expect(pushes.at(-1)?.parent).toBeUndefined()
    expect(requests.filter(({ url }) => url.pathname === '/v1/hashes').length).toBeLessThan(8)
  })

  it('a journal that ends before what was confirmed is another one, whatever its hash', async () => {
    stored.set('main', rows(1, 3))
    cursor = { seq: 3, hash: GENESIS, branch: 'main', counter: 3, registeredAt: ADDRESS }
    expect(await push(journalOf([]))).toEqual(good({ kind: 'stored', records: 0, more: true }))
    expect(pushes).toEqual([])
    expect(cursor).toMatchObject({ seq: 0, hash: GENESIS, parent: { seq: 0, branch: 'main' } })
  })

  it('asks about records that it has itself, in order, and a few at once', async () => {
    stored.set('main', rows(1, 100))
    cursor = { ...endOf(row(100)), branch: 'main', counter: 3, registeredAt: ADDRESS }
    await push(journalOf([...rows(41, 50), ...rows(51, 90, 'two')], endOf(row(40))))
    const asked = requests.map(({ body }) => JSON.parse(String(body)) as { branch: string; seqs: number[] })
    for (const { branch, seqs } of asked) {
      expect(branch).toBe('main')
      expect(seqs.length).toBeLessThanOrEqual(30)
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
      expect(seqs.every((seq) => seq >= 40 && seq <= 90)).toBe(true)
    }
    expect(cursor?.parent).toEqual({ ...endOf(row(50)), branch: 'main' })
  })

  it('records that the collector has dropped count as common', async () => {
    stored.set('main', rows(1, 20))
    droppedTo = 12
    cursor = { ...endOf(row(20)), branch: 'main', counter: 3, registeredAt: ADDRESS }
    await push(journalOf([...rows(1, 14), ...rows(15, 16, 'two')]))
    expect(cursor?.parent).toEqual({ ...endOf(row(14)), branch: 'main' })
    droppedTo = 18
    cursor = { ...endOf(row(20)), branch: 'main', counter: 3, registeredAt: ADDRESS }
    await push(journalOf(rows(1, 16)))
    expect(cursor?.parent).toEqual({ ...endOf(row(16)), branch: 'main' })
  })

  it('a head of the collector that is not in the journal is another chain, whatever the answer is called', async () => {
    answers.set('/v1/push', [respond(200, { kind: 'stored', head: endOf(row(2, 'other')) })])
    expect(await push(journalOf(rows(1, 2)))).toEqual(good({ kind: 'stored', records: 0, more: true }))
    expect(cursor?.branch).not.toBe('main')
    cursor = undefined
    answers.set('/v1/push', [respond(200, { kind: 'stored', head: endOf(row(9)) })])
    await push(journalOf(rows(1, 2)))
    expect(cursor).toMatchObject({ seq: 0, parent: { seq: 0, branch: 'main' } })
  })

  test.each<[string, FleetResponse | Result<never>, object]>([
    ['is away', bad('FLEET_UNREACHABLE', 'gone'), { problem: { code: 'FLEET_UNREACHABLE' } }],
    [
      'asks for a pause',
      respond(503, {}, { 'retry-after': '5' }),
      { value: { kind: 'later', retryAfterMs: 5000 } },
    ],
    ['answers without hashes', respond(200, {}), { problem: { code: 'COLLECTOR_REFUSED' } }],
    ['answers with a text', respond(200, 'x'), { problem: { code: 'COLLECTOR_REFUSED' } }],
    ['refuses', respond(403, { hashes: {} }), { problem: { code: 'COLLECTOR_REFUSED' } }],
  ])('the branch stays if the collector %s when it is asked for hashes', async (_what, answer, result) => {
    const known = { ...endOf(row(5)), branch: 'main', counter: 3, registeredAt: ADDRESS }
    cursor = known
    answers.set('/v1/hashes', [answer])
    expect(await push(journalOf(rows(1, 6, 'two')))).toMatchObject(result)
    expect(cursor).toEqual({ ...known, counter: 4 })
  })
})
