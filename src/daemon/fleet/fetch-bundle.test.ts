import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { readInForce } from '../../config/bundle/store.ts'
import { TEST_NOW, testBundle, testKey, testPublish } from '../../tools/bundle/bundle.testing.ts'
import { readPublished, rotateKeys, writePublication } from '../../tools/bundle/publish.ts'
import { folderStore } from './bundle-store.ts'
import { fetchBundle } from './fetch-bundle.ts'
import { createFleetHttp } from './http.ts'
import { fleetSource } from './source.ts'

const key = testKey()
let folder: string
let published: string
let store: string
let server: Server
let answer: RequestListener
let seen: { readonly url: string; readonly etag: string | undefined }[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-fetch-'))
  published = join(folder, 'published')
  store = join(folder, 'store')
  seen = []
  answer = serveFiles
  server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', etag: request.headers['if-none-match'] })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A plain file server with ETags. */
const serveFiles: RequestListener = (request, response) => {
  try {
    const content = readFileSync(join(published, request.url ?? ''))
    const etag = `"${content.length}-${content.toString('base64').slice(-40)}"`
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
    response.writeHead(200, { etag }).end(content)
  } catch {
    response.writeHead(404).end('not found')
  }
}

interface FetchOptions {
  readonly keys?: readonly string[]
  readonly threshold?: number
  readonly channel?: string
  readonly now?: Date
  readonly url?: string
}

async function fetched({
  keys = [key.text],
  threshold = 1,
  channel = 'stable',
  now = TEST_NOW,
  url,
}: FetchOptions = {}) {
  const http = createFleetHttp()
  try {
    const { port } = server.address() as AddressInfo
    const address = url ?? `http://127.0.0.1:${port}`
    const context = {
      enrollment: { channel },
      machine: 'm',
      source: fleetSource(address, http),
      now: () => now,
    }
    return await fetchBundle({ ...context, store: folderStore(store, { keys, threshold }) })
  } finally {
    http.close()
  }
}

const inForce = () => readInForce(store)?.revision

describe('fetching a bundle', () => {
  it('accepts the one that is published, and asks only whether it has changed afterwards', async () => {
    testPublish(published, testBundle([key]), key)
    expect(await fetched()).toEqual({ ok: true, value: { kind: 'accepted', revision: 1 } })
    expect(
      readFileSync(join(store, 'bundles', readInForce(store)?.folder ?? '', 'config.yaml'), 'utf8'),
    ).toContain('no-shell')
    seen.length = 0
    expect(await fetched()).toEqual({ ok: true, value: { kind: 'current', revision: 1 } })
    expect(seen).toEqual([{ url: '/index.json', etag: expect.any(String) }])
    testPublish(published, testBundle([key], { revision: 2 }), key)
    expect(await fetched()).toEqual({ ok: true, value: { kind: 'accepted', revision: 2 } })
  })

  it('reads a folder as well', async () => {
    testPublish(published, testBundle([key]), key)
    expect(await fetched({ url: published })).toEqual({ ok: true, value: { kind: 'accepted', revision: 1 } })
  })

  it('takes a revision only if this machine is chosen for it, and the one before otherwise', async () => {
    testPublish(published, testBundle([key]), key)
    testPublish(published, testBundle([key], { revision: 2 }), key, { percent: 0 })
    testPublish(published, testBundle([key], { revision: 3 }), key, { percent: 0 })
    expect(await fetched()).toMatchObject({ value: { kind: 'accepted', revision: 1 } })
    testPublish(published, testBundle([key], { revision: 3 }), key, { percent: 100 })
    expect(await fetched()).toMatchObject({ value: { kind: 'accepted', revision: 3 } })
    testPublish(published, testBundle([key], { revision: 3 }), key, { percent: 0 })
    expect(await fetched()).toMatchObject({ value: { kind: 'current', revision: 3 } })
    expect(inForce()).toBe(3)
  })

  it('puts changed files back, without the network if it can', async () => {
    testPublish(published, testBundle([key]), key)
    await fetched()
    const config = join(store, 'bundles', readInForce(store)?.folder ?? '', 'config.yaml')
    writeFileSync(config, 'version: 1\n')
    seen.length = 0
    expect(await fetched()).toMatchObject({ value: { kind: 'current' } })
    expect(readFileSync(config, 'utf8')).toContain('no-shell')
    writeFileSync(config, 'version: 1\n')
    writeFileSync(join(store, 'bundles', `${readInForce(store)?.folder}.tar.gz`), 'x')
    expect(await fetched()).toMatchObject({ value: { kind: 'accepted', revision: 1 } })
    expect(readFileSync(config, 'utf8')).toContain('no-shell')
  })

  it('follows keys that were replaced, however often, and no longer accepts the old key', async () => {
    testPublish(published, testBundle([key]), key)
    await fetched()
    let current = key
    const all = [key]
    for (let version = 1; version <= 3; version += 1) {
      const next = testKey()
      rotate(current, next)
      current = next
      all.push(next)
    }
    testPublish(published, testBundle([current], { revision: 2 }), current)
    expect(await fetched()).toMatchObject({ value: { kind: 'accepted', revision: 2 } })
    // A machine that is enrolled now has the newest key, or an older one.
    for (const pinned of all.reverse()) {
      rmSync(store, { recursive: true })
      expect(await fetched({ keys: [pinned.text] })).toMatchObject({ value: { revision: 2 } })
    }
    // The old key is revoked: with it an attacker cannot publish any more.
    rmSync(join(published, 'keys'), { recursive: true })
    rmSync(join(published, 'index.json'))
    testPublish(published, testBundle([key], { revision: 9 }), key)
    expect(await fetched()).toMatchObject({ ok: false, problem: { code: 'BUNDLE_SIGNATURE' } })
    expect(inForce()).toBe(2)
  })

  it('does not accept a bundle with too few signatures', async () => {
    const [second, third] = [testKey(), testKey()]
    testPublish(published, testBundle([key]), key)
    const keys = [key.text, second.text, third.text]
    expect(await fetched({ keys, threshold: 2 })).toMatchObject({ problem: { code: 'BUNDLE_SIGNATURE' } })
    testPublish(published, testBundle([key, third], { revision: 2 }), key)
    expect(await fetched({ keys, threshold: 2 })).toMatchObject({ value: { revision: 2 } })
  })

  function rotate(from: typeof key, to: typeof key): void {
    const before = readPublished(published, from.text)
    if (!before.ok) throw new Error(before.problem.message)
    const next = { keys: [to.text], threshold: 1 }
    expect(rotateKeys(before.value, next, from.secret)).toMatchObject({ value: { counts: false } })
    const { publication } = before.value
    const rotated = rotateKeys(before.value, next, to.secret)
    if (!rotated.ok || publication === undefined) throw new Error('not rotated')
    const dates = { key: to.secret, now: TEST_NOW, expires: new Date('2026-12-01') }
    writePublication(
      { ...before.value, keys: { ...next, version: rotated.value.version } },
      dates,
      publication,
    )
  }
})

describe('the bundle in force goes on', () => {
  beforeEach(async () => {
    testPublish(published, testBundle([key], { revision: 5 }), key)
    expect(await fetched()).toMatchObject({ value: { kind: 'accepted', revision: 5 } })
  })

  /** What a hostile or broken server does, and what is said about it. */
  const HOSTILE: readonly (readonly [string, () => unknown, FetchOptions, RegExp])[] = [
    ['is away', () => {}, { url: 'http://127.0.0.1:1' }, /cannot be reached: .*ECONNREFUSED/],
    ['has no list any more', () => rmSync(join(published, 'index.json')), {}, /no index.json/],
    ['shows a login page', () => respond(200, '<html>Log in</html>'), {}, /not a signed document/],
    ['answers with an error', () => respond(500, ''), {}, /status 500/],
    ['redirects', () => respond(302, '', { location: 'http://127.0.0.1:1/' }), {}, /status 302/],
    ['sends text without an end', endless, {}, /more than 1048576 bytes/],
    ['breaks off', breakOff, {}, /cannot be reached/],
    [
      'compresses what it sends',
      () => respond(200, gzipSync('{}'), { 'content-encoding': 'gzip' }),
      {},
      /not a signed/,
    ],
    ['has a list by another key', () => publishAgain(testKey(), 6), {}, /needs the signature/],
    ['has an older list', older, {}, /publication 1, which is older than 2/],
    ['has an older bundle in a newer list', () => publishAgain(key, 4), {}, /^$/],
    ['has an expired bundle', expiredBundle, {}, /bundle 6 expired/],
    ['has an expired list', () => {}, { now: new Date('2026-12-24') }, /Publication 1 expired/],
    ['has the list of another policy', () => publishAgain(key, 6, 'other'), {}, /enrolled in acme/],
    ['has another file than the list names', otherFile, {}, /not the file that index.json names/],
    [
      'names a bundle without having it',
      () => (publishAgain(key, 6), rmSync(join(published, 'bundles'), { recursive: true })),
      {},
      /has no bundles/,
    ],
    ['has a longer file than the list names', longerFile, {}, /has more than \d+ bytes|answer has more/],
    ['does not have this channel', () => {}, { channel: 'nightly' }, /^$/],
    [
      'names a version of the keys that cannot be',
      keysOfTheFuture,
      {},
      /needs the signature|cannot be|no keys/,
    ],
  ]

  test.each(HOSTILE)('if the server %s', async (_name, happens, options, why) => {
    await happens()
    const result = await fetched(options)
    expect(result.ok ? '' : result.problem.message).toMatch(why)
    expect(inForce()).toBe(5)
    answer = serveFiles
  })

  it('if the server asks for a pause, which is never longer than an hour', async () => {
    respond(503, '', { 'retry-after': '99999999' })
    expect(await fetched()).toEqual({ ok: true, value: { kind: 'later', retryAfterMs: 3_600_000 } })
    respond(429, '', { 'retry-after': 'Wed, 21 Oct 2065 07:28:00 GMT' })
    expect(await fetched()).toEqual({ ok: true, value: { kind: 'later', retryAfterMs: 0 } })
  })

  it('if the server asks for a pause before it sends the bundle', async () => {
    testPublish(published, testBundle([key], { revision: 6 }), key)
    answer = (request, response) =>
      request.url === '/index.json'
        ? serveFiles(request, response)
        : void response.writeHead(503, { 'retry-after': '5' }).end()
    expect(await fetched()).toEqual({ ok: true, value: { kind: 'later', retryAfterMs: 5000 } })
    expect(inForce()).toBe(5)
  })

  function longerFile(): void {
    testPublish(published, testBundle([key], { revision: 6 }), key)
    answer = (request, response) =>
      request.url === '/index.json' ? serveFiles(request, response) : void response.end(Buffer.alloc(100_000))
  }

  function respond(status: number, body: string | Buffer, headers: Record<string, string> = {}): void {
    answer = (_request, response) => void response.writeHead(status, headers).end(body)
  }

  function endless(): void {
    answer = (_request, response) => {
      const piece = Buffer.alloc(65_536, 'x')
      const more = () => {
        while (!response.destroyed && response.write(piece));
        response.once('drain', more)
      }
      more()
    }
  }

  function breakOff(): void {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('{', () => response.destroy())
    }
  }

  function publishAgain(by: typeof key, revision: number, name = 'acme'): void {
    rmSync(published, { recursive: true })
    testPublish(published, testBundle([by], { revision, name }), by)
  }

  async function older(): Promise<void> {
    const first = readFileSync(join(published, 'index.json'))
    testPublish(published, testBundle([key], { revision: 5 }), key)
    await fetched()
    writeFileSync(join(published, 'index.json'), first)
  }

  function expiredBundle(): void {
    testPublish(published, testBundle([key], { revision: 6, expires: '2026-05-01T00:00:00.000Z' }), key)
  }

  function otherFile(): void {
    testPublish(published, testBundle([key], { revision: 6 }), key)
    const list = JSON.parse(
      Buffer.from(
        JSON.parse(readFileSync(join(published, 'index.json'), 'utf8')).payload,
        'base64',
      ).toString(),
    )
    writeFileSync(join(published, list.bundles[6].file), testBundle([key], { revision: 6, version: 'evil' }))
  }

  function keysOfTheFuture(): void {
    const document = JSON.parse(readFileSync(join(published, 'index.json'), 'utf8'))
    const list = JSON.parse(Buffer.from(document.payload, 'base64').toString())
    document.payload = Buffer.from(JSON.stringify({ ...list, keys: 1_000_000_000 })).toString('base64')
    writeFileSync(join(published, 'index.json'), JSON.stringify(document))
  }
})
