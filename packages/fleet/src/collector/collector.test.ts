import { randomUUID } from 'node:crypto'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { createFleetHttp, type FleetRequest } from '../../../../src/daemon/fleet/http.ts'
import { newMachine } from '../../../../src/daemon/fleet/machine.ts'
import { encodePush, MAIN_BRANCH, type Push } from '../../../../src/daemon/fleet/push-format.ts'
import { signRequest } from '../../../../src/daemon/fleet/request-signature.ts'
import { GENESIS } from '../../../../src/storage/journal/chain.ts'
import { createMemoryStore } from '../../../../src/storage/journal/memory/store.ts'
import { createTestMachine, type TestMachine } from '../../test/machine.ts'
import { createMemorySink } from '../memory/sink.ts'
import type { Sink } from '../sink/sink.ts'
import { createCollector } from './handler.ts'

const TOKENS = { enroll: 'push', reader: 'read', boss: 'admin' } as const
let sink: Sink
let server: Server
let laptop: TestMachine
let log: string[]
/** What stands between machine and collector. */
let between: ((handle: () => void, response: import('node:http').ServerResponse) => void) | undefined

beforeEach(async () => {
  sink = createMemorySink({ tokens: TOKENS, now: () => new Date() })
  log = []
  between = undefined
  const collector = createCollector({
    sink,
    now: () => new Date(),
    log: (line) => log.push(line),
    ingest: { waitMs: 1 },
  })
  server = createServer((request, response) => {
    const handle = () => collector(request, response)
    if (between === undefined) handle()
    else between(handle, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  laptop = createTestMachine({ url })
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
async function stored(): Promise<string[]> {
  const ids: string[] = []
  for await (const { record } of sink.read({})) ids.push(record.id)
  return ids
}
const found = async () => (await sink.findings()).map(({ kind, seq }) => `${kind} ${seq}`)
const areWhole = async () => (await sink.verify()).every(({ ok }) => ok)

describe('a machine and a collector', () => {
  it('exchange a token for a key once, and then every record', async () => {
    laptop.add({ id: 'a' }, { id: 'b' })
    await laptop.pushAll()
    laptop.add({ id: 'c' })
    await laptop.pushAll()
    expect(await stored()).toEqual(['a', 'b', 'c'])
    expect(laptop.cursor).toMatchObject({ seq: 3, branch: 'main' })
    expect(await found()).toEqual([])
  })

  it('send nothing twice, and say that the machine is alive if there is nothing', async () => {
    laptop.add({ id: 'a' })
    await laptop.pushAll()
    const before = laptop.cursor?.counter ?? 0
    expect(await laptop.push()).toEqual({ ok: true, value: { kind: 'stored', records: 0, more: false } })
    expect(laptop.cursor?.counter).toBe(before + 1)
  })

  it('send many records in several pushes', async () => {
    laptop.add(...Array.from({ length: 1_234 }, (_, n) => ({ id: `r${n}` })))
    expect(await laptop.push()).toMatchObject({ value: { records: 500, more: true } })
    await laptop.pushAll()
    expect(await stored()).toHaveLength(1_234)
  })

  it('do not need the token again', async () => {
    laptop.add({})
    await laptop.pushAll()
    const later = createTestMachine({ url, token: 'gone', machine: laptop.machine })
    later.journal = laptop.journal
    await later.pushAll()
    expect(await stored()).toHaveLength(1)
  })

  it('are refused without a valid token', async () => {
    const stranger = createTestMachine({ url, token: 'reader' })
    expect(await stranger.push()).toMatchObject({
      ok: false,
      problem: { code: 'COLLECTOR_REFUSED', message: expect.stringContaining('token is unknown') },
    })
  })
})

describe('nothing is lost and nothing is doubled', () => {
  it('if the answer to a push is lost', async () => {
    laptop.add({ id: 'a' })
    await laptop.pushAll()
    laptop.add({ id: 'b' })
    between = (handle, response) => {
      response.end = () => {
        response.destroy()
        return response
      }
      handle()
    }
    expect(await laptop.push()).toMatchObject({ ok: false, problem: { code: 'FLEET_UNREACHABLE' } })
    between = undefined
    laptop.add({ id: 'c' })
    await laptop.pushAll()
    expect(await stored()).toEqual(['a', 'b', 'c'])
    expect(await areWhole()).toBe(true)
  })

  it('if the machine forgets how far it was', async () => {
    laptop.add({ id: 'a' }, { id: 'b' })
    await laptop.pushAll()
    laptop.cursor = undefined
    laptop.add({ id: 'c' })
    await laptop.pushAll()
    expect(await stored()).toEqual(['a', 'b', 'c'])
  })

  it('if the collector was restored from an old copy', async () => {
    laptop.add({ id: 'a' }, { id: 'b' })
    await laptop.pushAll()
    sink = createMemorySink({ tokens: TOKENS, now: () => new Date() })
    const collector = createCollector({ sink, now: () => new Date(), log: () => {}, ingest: { waitMs: 1 } })
    server.removeAllListeners('request')
    server.on('request', collector)
    laptop.add({ id: 'c' })
    expect(await laptop.push()).toMatchObject({
      problem: { message: expect.stringContaining('not registered') },
    })
    laptop.cursor = { ...(laptop.cursor ?? { seq: 0, hash: '', branch: '', counter: 0 }), registeredAt: '' }
    await laptop.pushAll()
    expect(await stored()).toEqual(['a', 'b', 'c'])
  })

  it('if the database is away', async () => {
    laptop.add({ id: 'a' })
    const { append } = sink
    sink.append = () => Promise.reject(new Error('disk full'))
    expect(await laptop.push()).toEqual({ ok: true, value: { kind: 'later', retryAfterMs: 5_000 } })
    expect(log).toEqual(['disk full'])
    sink.append = append
    await laptop.pushAll()
    expect(await stored()).toEqual(['a'])
  })

  it('if one push of a group cannot be stored', async () => {
    const others = Array.from({ length: 5 }, () => createTestMachine({ url }))
    for (const machine of [laptop, ...others]) {
      machine.add({ id: randomUUID() })
      await machine.pushAll()
      machine.add({ id: randomUUID() })
    }
    const { append } = sink
    sink.append = (pushes) =>
      pushes.some(({ machine }) => machine === laptop.machine.id)
        ? Promise.reject(new Error('poison'))
        : append(pushes)
    const results = await Promise.all([laptop, ...others].map((machine) => machine.push()))
    expect(results.map((result) => result.ok && result.value.kind)).toEqual([
      'later',
      ...others.map(() => 'stored'),
    ])
  })
})

describe('what is wrong with a journal is found, and kept', () => {
  it('two machines with one identity', async () => {
    laptop.add(...Array.from({ length: 40 }, (_, n) => ({ id: `both${n}` })))
    await laptop.pushAll()
    const copy = laptop.clone()
    laptop.add({ id: 'laptop' })
    copy.add({ id: 'copy1' }, { id: 'copy2' })
    await laptop.pushAll()
    await copy.pushAll()
    laptop.add({ id: 'laptop2' })
    await laptop.pushAll()
    copy.add({ id: 'copy3' })
    await copy.pushAll()
    const ids = await stored()
    expect(ids.filter((id) => !id.startsWith('both')).sort()).toEqual([
      'copy1',
      'copy2',
      'copy3',
      'laptop',
      'laptop2',
    ])
    expect(ids).toHaveLength(45)
    expect(await found()).toEqual(['fork 41'])
    expect(await areWhole()).toBe(true)
  })

  it('a journal that was started anew', async () => {
    laptop.add({ id: 'old1' }, { id: 'old2' })
    await laptop.pushAll()
    laptop.journal = createMemoryStore()
    laptop.add({ id: 'new1' })
    await laptop.pushAll()
    laptop.add({ id: 'new2' }, { id: 'new3' })
    await laptop.pushAll()
    expect((await stored()).sort()).toEqual(['new1', 'new2', 'new3', 'old1', 'old2'])
    expect(await found()).toEqual(['restart 1'])
  })

  it('a journal that was rewritten from a record on', async () => {
    laptop.add(...Array.from({ length: 100 }, (_, n) => ({ id: `r${n}` })))
    const rewritten = laptop.clone()
    laptop.add({ id: 'deny' }, { id: 'after' })
    await laptop.pushAll()
    laptop.journal = rewritten.journal
    laptop.journal.append([])
    laptop.add({ id: 'harmless' }, { id: 'after2' }, { id: 'after3' })
    await laptop.pushAll()
    expect((await stored()).filter((id) => !id.startsWith('r')).sort()).toEqual([
      'after',
      'after2',
      'after3',
      'deny',
      'harmless',
    ])
    expect(await found()).toEqual(['fork 101'])
  })

  it('records that the machine has dropped before the collector had them', async () => {
    laptop.add({ id: 'a', at: '2026-01-01T00:00:00.000Z' })
    await laptop.pushAll()
    laptop.add({ id: 'lost', at: '2026-01-02T00:00:00.000Z' }, { id: 'c', at: '2026-03-01T00:00:00.000Z' })
    laptop.journal.retain({ keepDays: 10, now: new Date('2026-03-02T00:00:00.000Z') })
    await laptop.pushAll()
    expect(await stored()).toEqual(['a', 'c'])
    expect(await found()).toEqual(['gap 2'])
  })

  it('a clock that is a year off', async () => {
    laptop.clockOffMs = -365 * 24 * 60 * 60 * 1000
    laptop.add({ id: 'a' })
    await laptop.pushAll()
    expect(await stored()).toEqual(['a'])
    expect(await found()).toEqual(['clock 0'])
  })
})

describe('a stolen key', () => {
  it('is found when the real machine goes on, is refused once it is revoked, and costs the real machine nothing', async () => {
    laptop.add({ id: 'a' })
    await laptop.pushAll()
    const thief = createTestMachine({ url, machine: laptop.machine })
    thief.journal = laptop.clone().journal
    thief.add({ id: 'forged' })
    await thief.pushAll()
    laptop.add({ id: 'b' })
    await laptop.pushAll()
    expect(await found()).toEqual(['fork 2'])
    expect(await api('POST', `/v1/revoke?machine=${laptop.machine.id}`, 'boss')).toMatchObject({
      status: 200,
    })
    thief.add({ id: 'forged2' })
    laptop.add({ id: 'c' })
    for (const machine of [thief, laptop]) {
      expect(await machine.push()).toMatchObject({ problem: { message: expect.stringContaining('revoked') } })
    }
    const renewed = createTestMachine({ url, machine: newMachine(laptop.machine.id) })
    renewed.journal = laptop.journal
    renewed.cursor = {
      ...(laptop.cursor ?? { seq: 0, hash: '', branch: 'main', counter: 0 }),
      registeredAt: '',
    }
    await renewed.pushAll()
    expect((await stored()).sort()).toEqual(['a', 'b', 'c', 'forged'])
  })
})

interface Raw {
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body: Buffer
}

/** A request as no machine of ours would send it. */
function raw({ path = '/v1/push', headers = {}, body }: Raw): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${url()}${path}`, { method: 'POST', headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (part) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function api(method: string, path: string, token: string | undefined, body?: unknown) {
  const response = await fetch(`${url()}${path}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

describe('a push that is not right', () => {
  const machine = newMachine()
  const signed = (body: Buffer, path = '/v1/push') => ({
    'content-encoding': 'gzip',
    ...signRequest(path, machine, body),
  })
  function pushOf(change: Partial<Push> = {}): Buffer {
    const store = createMemoryStore()
    return encodePush({
      machine: machine.id,
      counter: 1,
      sentAt: new Date().toISOString(),
      branch: MAIN_BRANCH,
      ...store.chain(0, 1),
      ...change,
    })
  }
  const packed = (text: string) => gzipSync(text)
  beforeEach(async () => {
    await sink.register({ machine: machine.id, publicKey: machine.publicKey, token: 'enroll', labels: {} })
  })

  test.each<[string, () => Raw, number, RegExp]>([
    ['without a signature', () => ({ body: pushOf() }), 401, /not signed/],
    [
      'of a machine that is not registered',
      () => ({ body: pushOf(), headers: signRequest('/v1/push', newMachine(), pushOf()) }),
      401,
      /not registered/,
    ],
    [
      'with the signature of another body',
      () => ({ body: pushOf(), headers: signed(Buffer.from('x')) }),
      401,
      /does not belong/,
    ],
    [
      'with the signature of another path',
      () => ({ body: pushOf(), headers: signed(pushOf(), '/v1/hashes') }),
      401,
      /does not belong/,
    ],
    [
      'with the name of another machine',
      () => ({ body: pushOf({ machine: randomUUID() }), headers: signed(pushOf({ machine: randomUUID() })) }),
      401,
      /does not belong|another machine/,
    ],
    ['that was cut before it was signed', () => cut(), 400, /cut off/],
    ['with fewer records than it says', () => line({ records: 3 }), 400, /0 records, and its head says 3/],
    ['of a newer version', () => line({ format: 2 }), 400, /format 2/],
    ['without a head', () => ({ body: packed(''), headers: signed(packed('')) }), 400, /first line/],
    [
      'with a hash that is not one',
      () => line({ previous: { seq: 0, hash: 'x' } }),
      400,
      /head is incomplete/,
    ],
    ['with a number that is not one', () => line({ counter: -1 }), 400, /head is incomplete/],
    ['that becomes 1 GB when it is unpacked', () => bomb(), 413, /too large/],
  ])('is refused %s, and nothing is stored', async (_name, make, status, why) => {
    const sent = make()
    const answer = await raw(sent)
    expect(answer).toEqual({ status, text: expect.stringMatching(why) })
    expect(await stored()).toEqual([])
  })

  it('is refused before it is read if it says that it has 1 GB', async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const headers = { ...signed(Buffer.from('x')), host: 'x', 'content-length': String(2 ** 30) }
    const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}`)
    socket.write(`POST /v1/push HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (part) => (text += part))
      socket.on('close', () => resolve(text))
      socket.on('error', () => resolve(text))
    })
    expect(answer).toContain('HTTP/1.1 413')
  })

  it('is refused when it has become too large, if it does not say how large it is', async () => {
    const body = Buffer.alloc(9 * 1024 * 1024)
    const answer = await raw({ headers: { ...signed(body), 'transfer-encoding': 'chunked' }, body }).catch(
      () => 'closed',
    )
    expect(answer === 'closed' || (typeof answer === 'object' && answer.status === 413)).toBe(true)
    expect(await stored()).toEqual([])
  })

  it('stores nothing if the connection breaks in the middle', async () => {
    const body = pushOf()
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const headers = { ...signed(body), host: 'x', 'content-length': String(body.length) }
    const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}`)
    socket.write(`POST /v1/push HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    socket.write(body.subarray(0, 20))
    socket.on('error', () => {})
    await new Promise<void>((resolve) => socket.end(() => resolve()))
    expect(await stored()).toEqual([])
  })

  it('is stored once if somebody sends it again', async () => {
    const http = createFleetHttp()
    const sent: Raw[] = []
    const listening = {
      ...http,
      send(asked: FleetRequest) {
        const { pathname } = asked.url
        if (asked.body !== undefined)
          sent.push({ path: pathname, body: asked.body, headers: { ...asked.headers } })
        return http.send(asked)
      },
    }
    const watched = createTestMachine({ url, http: listening })
    watched.add({ id: 'a' }, { id: 'b' })
    await watched.pushAll()
    for (const each of [...sent, ...sent]) expect(await raw(each)).toMatchObject({ status: 200 })
    watched.add({ id: 'c' })
    await watched.pushAll()
    expect(await stored()).toEqual(['a', 'b', 'c'])
    expect(await found()).toEqual([])
  })

  function line(change: Record<string, unknown>): Raw {
    const head = {
      format: 1,
      machine: machine.id,
      counter: 1,
      sentAt: new Date().toISOString(),
      branch: 'main',
      previous: { seq: 0, hash: GENESIS },
      records: 0,
      ...change,
    }
    const body = packed(`${JSON.stringify(head)}\n`)
    return { body, headers: signed(body) }
  }
  function cut(): Raw {
    const body = pushOf().subarray(0, 40)
    return { body, headers: signed(body) }
  }
  function bomb(): Raw {
    const body = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    return { body, headers: signed(body) }
  }
})

describe('roles', () => {
  beforeEach(async () => {
    laptop.add({ id: 'a', session: 's1' }, { id: 'b', effect: 'deny' })
    await laptop.pushAll()
  })

  test.each([
    ['GET', '/v1/records', undefined, 401],
    ['GET', '/v1/records', 'wrong', 401],
    ['GET', '/v1/records', 'enroll', 403],
    ['GET', '/v1/records', 'reader', 200],
    ['GET', '/v1/records', 'boss', 200],
    ['GET', '/v1/findings', 'reader', 200],
    ['GET', '/v1/findings', 'enroll', 403],
    ['POST', '/v1/erase', 'reader', 403],
    ['POST', '/v1/erase', 'enroll', 403],
    ['POST', '/v1/revoke?machine=x', 'reader', 403],
    ['POST', '/v1/revoke?machine=x', 'boss', 404],
    ['GET', '/v1/health', undefined, 200],
    ['GET', '/', undefined, 404],
    ['DELETE', '/v1/records', 'boss', 404],
  ])('%s %s with the token %s: %i', async (method, path, token, status) => {
    expect(await api(method, path, token)).toMatchObject({ status })
  })

  it('read records by query, one for each line', async () => {
    const { text } = await api('GET', '/v1/records?effect=deny', 'reader')
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).record.id),
    ).toEqual(['b'])
    expect(await api('GET', '/v1/records?limit=x', 'reader')).toMatchObject({ status: 400 })
    expect(await api('GET', '/v1/records?drop=1', 'reader')).toMatchObject({ status: 400 })
    expect(await api('GET', '/v1/records?since=yesterday', 'reader')).toMatchObject({ status: 400 })
    const { text: verified } = await api('GET', `/v1/verify?machine=${laptop.machine.id}`, 'reader')
    expect(JSON.parse(verified).chains).toMatchObject([{ ok: true, records: 2 }])
  })

  it('erase, by an administrator, exactly what is named', async () => {
    expect(await api('POST', '/v1/erase', 'boss', {})).toMatchObject({ status: 400 })
    expect(await api('POST', '/v1/erase', 'boss', { session: 's1', user: 'dev' })).toMatchObject({
      status: 400,
    })
    expect(await api('POST', '/v1/erase', 'boss', { session: 's1' })).toMatchObject({
      text: '{"erased":1}\n',
    })
    expect(await stored()).toEqual(['b'])
    expect(await areWhole()).toBe(true)
  })
})

describe('a hostile collector', () => {
  test.each<[string, number, string]>([
    ['sends text', 200, 'hello'],
    ['sends nothing', 200, ''],
    [
      'says that it has records that never were',
      200,
      JSON.stringify({ kind: 'stored', head: { seq: 1_000_000, hash: 'f'.repeat(64) } }),
    ],
    [
      'says that it has another last record',
      200,
      JSON.stringify({ kind: 'stored', head: { seq: 1, hash: 'f'.repeat(64) } }),
    ],
    ['refuses with a long text', 403, JSON.stringify({ message: 'x'.repeat(100_000) })],
  ])('that %s makes the machine drop nothing', async (_name, status, body) => {
    laptop.add({ id: 'a' }, { id: 'b' })
    await laptop.pushAll()
    laptop.add({ id: 'c' })
    between = (_handle, response) => void response.writeHead(status).end(body)
    const pushed = await laptop.push()
    if (!pushed.ok) expect(pushed.problem.message.length).toBeLessThan(500)
    expect(laptop.cursor?.seq).toBeLessThanOrEqual(3)
    between = undefined
    await laptop.pushAll()
    expect((await stored()).filter((id) => id === 'c')).toEqual(['c'])
  })
})
