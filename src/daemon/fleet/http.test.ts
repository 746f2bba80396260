import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { VERSION } from '../../core/version.ts'
import { createFleetHttp, type FleetRequest, type NetworkSettings } from './http.ts'
import { fleetSource, retryAfterMs } from './source.ts'

let server: Server
let answer: RequestListener
let seen: {
  readonly method?: string
  readonly url?: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}[]
const closing: (() => void)[] = []

beforeEach(async () => {
  seen = []
  answer = (_request, response) => void response.end('ok')
  server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { method, url, headers } = request
    seen.push({
      ...(method === undefined ? {} : { method }),
      ...(url === undefined ? {} : { url }),
      headers,
      body,
    })
    answer(request, response)
  })
  await listening(server)
})
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function listening(of: Server | SocketServer): Promise<number> {
  await new Promise<void>((resolve) => of.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    if ('closeAllConnections' in of) of.closeAllConnections()
    of.close()
  })
  return (of.address() as AddressInfo).port
}

const address = (path = '/') => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)

async function send(more: Partial<FleetRequest> = {}, settings: NetworkSettings = {}) {
  const http = createFleetHttp(settings)
  closing.push(() => http.close())
  return http.send({ url: address(), maxBytes: 100, timeoutMs: 10_000, ...more })
}

const messageOf = (result: Awaited<ReturnType<typeof send>>) => (result.ok ? '' : result.problem.message)

describe('a request to a server of the fleet', () => {
  it('says who asks, and sends what it is given', async () => {
    const body = Buffer.from('text')
    const sent = await send({ method: 'POST', headers: { 'x-a': '1' }, body })
    expect(sent).toMatchObject({ value: { status: 200, body: Buffer.from('ok') } })
    expect(seen).toMatchObject([
      {
        method: 'POST',
        headers: {
          'x-a': '1',
          'user-agent': `holdpoint/${VERSION}`,
          'accept-encoding': 'identity',
          'content-length': '4',
        },
        body: 'text',
      },
    ])
    await send()
    expect(seen[1]).toMatchObject({ method: 'GET', body: '' })
    expect(seen[1]?.headers['content-length']).toBeUndefined()
  })

  it('uses one connection again', async () => {
    const http = createFleetHttp()
    closing.push(() => http.close())
    const ports = new Set<number | undefined>()
    answer = (request, response) => (ports.add(request.socket.remotePort), void response.end())
    for (let i = 0; i < 2; i += 1) await http.send({ url: address(), maxBytes: 9, timeoutMs: 10_000 })
    expect(ports.size).toBe(1)
  })

  test.each([
    [100, true],
    [101, false],
  ])('takes an answer of %d bytes, of at most 100: %s', async (length, isTaken) => {
    answer = (_request, response) => void response.end(Buffer.alloc(length, 'x'))
    const sent = await send()
    expect(sent.ok).toBe(isTaken)
    if (!isTaken) expect(messageOf(sent)).toContain('the answer has more than 100 bytes')
  })

  it('does not wait for ever, and shows neither a password nor a query', async () => {
    answer = () => {}
    const { port } = address()
    const sent = await send({
      url: new URL(`http://user:secret@127.0.0.1:${port}/a?key=secret`),
      timeoutMs: 50,
    })
    expect(messageOf(sent)).toBe(
      `http://127.0.0.1:${port}/a cannot be reached: no whole answer within 0.05 s.`,
    )
  })

  it('needs certificates that can be read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-http-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const sent = await send({ url: new URL('https://127.0.0.1:1/') }, { ca: join(folder, 'ca.pem') })
    expect(messageOf(sent)).toContain('ENOENT')
  })

  it('says why none of several addresses answers', async () => {
    expect(messageOf(await send({ url: new URL('http://localhost:1/') }))).toMatch(
      /cannot be reached: .*ECONNREFUSED/,
    )
  })

  it('does not talk to a server without TLS as if it had it', async () => {
    const sent = await send({ url: new URL(address().href.replace('http:', 'https:')) })
    expect([sent.ok, seen]).toEqual([false, []])
  })
})

describe('a request through a proxy', () => {
  const proxied = async (more: Partial<FleetRequest> = {}) => send(more, { proxy: address().href })

  it('without TLS names the whole address', async () => {
    await proxied({ url: new URL('http://fleet.example.com:81/a?b=1'), headers: { 'x-a': '1' } })
    expect(seen).toMatchObject([
      {
        method: 'GET',
        url: 'http://fleet.example.com:81/a?b=1',
        headers: { host: 'fleet.example.com:81', 'x-a': '1' },
      },
    ])
  })

  test.each([
    ['https://fleet.example.com/a', 'fleet.example.com:443'],
    ['https://fleet.example.com:8443/a', 'fleet.example.com:8443'],
  ])('with TLS shows it nothing but the name of the server: %s', async (url, name) => {
    const asked: string[] = []
    server.on('connect', (request, socket) => {
      asked.push(`${request.method} ${request.url} ${request.headers.host}`)
      socket.end('HTTP/1.1 407 No\r\n\r\n')
    })
    const sent = await proxied({ url: new URL(url) })
    expect(asked).toEqual([`CONNECT ${name} ${name}`])
    expect(messageOf(sent)).toContain(`the proxy ${address().host}: it answers with status 407.`)
  })

  it('speaks TLS with the server behind the tunnel', async () => {
    let first: Buffer | undefined
    server.on('connect', (_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.once('data', (data: Buffer) => {
        first = data
        socket.destroy()
      })
    })
    const sent = await proxied({ url: new URL('https://fleet.example.com/a') })
    expect(messageOf(sent)).toContain('https://fleet.example.com/a cannot be reached')
    // A record of a handshake, with the name of the server in it.
    expect([first?.[0], first?.includes('fleet.example.com')]).toEqual([22, true])
  })

  it('that does not answer is given up', async () => {
    const silent = createSocketServer(() => {})
    const port = await listening(silent)
    const url = new URL('https://fleet.example.com/a')
    const sent = await send({ url, timeoutMs: 50 }, { proxy: `http://127.0.0.1:${port}` })
    expect(messageOf(sent)).toContain(`the proxy 127.0.0.1:${port}: it does not answer.`)
  })

  it('that is away is named', async () => {
    const sent = await send({ url: new URL('https://fleet.example.com/a') }, { proxy: 'http://127.0.0.1:1' })
    expect(messageOf(sent)).toMatch(/the proxy 127\.0\.0\.1:1: .*ECONNREFUSED/)
  })

  it('answers instead of opening a tunnel', async () => {
    server.on('connect', (_request, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    const sent = await proxied({ url: new URL('https://fleet.example.com/a') })
    expect(sent.ok).toBe(false)
  })
})

describe('a file of the fleet', () => {
  const fetched = (known = {}, authorization?: string) => {
    const http = createFleetHttp()
    closing.push(() => http.close())
    return fleetSource(address('/base/?sig=1').href, http, authorization).fetch('index.json', 100, known)
  }

  it('is asked for below the address, with what is known of it', async () => {
    await fetched({ etag: '"a"', lastModified: 'Mon' }, 'Bearer t')
    expect(seen).toMatchObject([
      {
        url: '/base/index.json?sig=1',
        headers: { authorization: 'Bearer t', 'if-none-match': '"a"', 'if-modified-since': 'Mon' },
      },
    ])
    await fetched()
    for (const name of ['authorization', 'if-none-match', 'if-modified-since'])
      expect(seen[1]?.headers).not.toHaveProperty(name)
  })

  test.each<[number, Readonly<Record<string, string>>, object]>([
    [200, {}, { value: { kind: 'file', content: Buffer.from('x'), validators: {} } }],
    [
      200,
      { etag: '"a"', 'last-modified': 'Mon' },
      { value: { validators: { etag: '"a"', lastModified: 'Mon' } } },
    ],
    [304, {}, { value: { kind: 'unchanged' } }],
    [404, {}, { value: { kind: 'missing' } }],
    [410, {}, { value: { kind: 'missing' } }],
    [429, { 'retry-after': '7' }, { value: { kind: 'later', retryAfterMs: 7000 } }],
    [503, {}, { value: { kind: 'later', retryAfterMs: 0 } }],
    [
      403,
      {},
      {
        problem: {
          code: 'FLEET_UNREACHABLE',
          message: expect.stringMatching(/\/base\/index\.json answers with status 403\.$/),
        },
      },
    ],
  ])('of status %d with %j', async (status, headers, result) => {
    answer = (_request, response) => void response.writeHead(status, headers).end(status === 304 ? '' : 'x')
    expect(await fetched()).toMatchObject(result)
  })

  it('has validators of at most 300 characters', async () => {
    answer = (_request, response) =>
      void response.writeHead(200, { etag: 'e'.repeat(300), 'last-modified': 'm'.repeat(301) }).end()
    expect(await fetched()).toMatchObject({ value: { validators: { etag: 'e'.repeat(300) } } })
    expect(await fetched()).not.toHaveProperty('value.validators.lastModified')
  })

  test.each([
    ['7', 7000],
    ['3600', 3_600_000],
    ['3601', 3_600_000],
    ['0', 0],
    ['-1', 0],
    ['soon', 0],
    [undefined, 0],
  ])('that comes later: %s', (text, ms) => {
    expect(retryAfterMs(text)).toBe(ms)
  })

  it('of a folder is read as it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-source-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const source = fleetSource(folder, createFleetHttp())
    expect(await source.fetch('x', 9)).toEqual({ ok: true, value: { kind: 'missing' } })
    expect(await source.fetch('.', 9)).toMatchObject({
      problem: { message: `${folder} cannot be read: it is not a file that can be read.` },
    })
  })
})
