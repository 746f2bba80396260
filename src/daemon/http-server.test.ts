import { createHmac } from 'node:crypto'
import { createConnection } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HttpReply } from '../core/host.ts'
import { PAYLOAD_MAX_BYTES } from '../core/host.ts'
import { type HttpServer, openHttpServer } from './http-server.ts'
import { freePort } from './http-settings.ts'
import { type DaemonRequest, decodeRequest } from './protocol.ts'

let server: HttpServer
let port: number
let calls: DaemonRequest[]
let reply: () => Promise<HttpReply | undefined>
beforeEach(async () => {
  calls = []
  reply = async () => ({ status: 200, body: '{"answer":1}\n' })
  port = await freePort()
  server = await opened()
})
afterEach(() => server.close())

const SECRET = 'a'.repeat(64)
const PROOF_KEY = 'b'.repeat(64)
const head = () => `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${SECRET}\r\nConnection: close\r\n`
const post = (body: string, target = '/hook/claude-code?event=PreToolUse') =>
  `POST ${target} HTTP/1.1\r\n${head()}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

async function opened(): Promise<HttpServer> {
  const settings = { port, secret: SECRET, proofKey: PROOF_KEY, env: { HOME: '/home/dev' } }
  const result = await openHttpServer(settings, '/srv/home', {
    answer: async (frame) => {
      calls.push(decodeRequest(frame))
      return reply()
    },
  })
  if (result === 'taken') throw new Error('the port is taken')
  return result
}

describe('a client with the secret', () => {
  it('is answered, and only the known parameters of the address become arguments of the hook', async () => {
    const target =
      '/hook/claude-code?event=Stop&on-failure=pass&deadline-ms=500&home=/other&config=/x&pack=self'
    expect(await raw(post('{"a":"ä"}', target))).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\{"answer":1\}\n/s)
    const words = ['--event', 'Stop', '--on-failure', 'pass', '--deadline-ms', '500']
    expect(calls).toEqual([
      {
        argv: ['claude-code', '--home', '/srv/home', ...words],
        cwd: '/',
        env: { HOME: '/home/dev' },
        input: Buffer.from('{"a":"ä"}'),
        elapsedMs: 0,
      },
    ])
  })

  it('may send its request in chunks, and two requests over one connection', async () => {
    const chunked = post('')
      .replace('Content-Length: 0\r\n', 'Transfer-Encoding: chunked\r\n')
      .replace('Connection: close', 'Connection: keep-alive')
    const said = await raw(`${chunked}2\r\n{}\r\n0\r\n\r\n${post('[]')}`)
    expect(said.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(calls.map(({ input }) => input.toString())).toEqual(['{}', '[]'])
  })

  it('gets an error for an event that is too long: one byte too many is passed on, and no more', async () => {
    expect(await raw(post('x'.repeat(PAYLOAD_MAX_BYTES + 1_000_000)))).toContain('HTTP/1.1 200')
    expect(calls.map(({ input }) => input.length)).toEqual([PAYLOAD_MAX_BYTES + 1])
  })

  it.each<[string, () => Promise<undefined>]>([
    ['there is no answer', async () => undefined],
    ['answering fails', () => Promise.reject(new Error('failed'))],
  ])('is disconnected when %s; the server keeps running', async (_name, outcome) => {
    reply = outcome
    expect(await raw(post('{}'))).toBe('')
    reply = async () => ({ status: 500, body: 'x' })
    expect(await raw(post('{}'))).toContain('HTTP/1.1 500')
  })

  it('sends no request if it disconnects in the middle of it', async () => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    await new Promise((resolve) => socket.write(post('{}').slice(0, -1), resolve))
    socket.destroy()
    expect(await raw(post('{}'))).toContain('HTTP/1.1 200')
    expect(calls).toHaveLength(1)
  })
})

it('a client without the secret gets a proof that the server knows its key, and not the secret', async () => {
  const said = await raw(
    `GET /alive?nonce=n1 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
  )
  expect(said).toContain(createHmac('sha256', PROOF_KEY).update(`alive:${port}:n1`).digest('hex'))
  expect(said).not.toContain(SECRET)
})

describe('the server sends nothing and evaluates nothing for a request with', () => {
  it.each<[string, (request: string) => string]>([
    ['no secret', (text) => text.replace(/Authorization:.*?\r\n/, '')],
    ['another secret', (text) => text.replace(SECRET, `b${SECRET.slice(1)}`)],
    ['a secret that has more characters', (text) => text.replace(SECRET, `${SECRET}a`)],
    ['no host header', (text) => text.replace(/Host:.*?\r\n/, '')],
    ['the host header of a web page', (text) => text.replace('Host: 127.0.0.1', 'Host: attacker.example')],
    ['another method', (text) => text.replace('POST', 'PUT')],
    ['another path', (text) => text.replace('/hook/', '/hooks/')],
    ['an unknown expectation', (text) => text.replace('\r\n\r\n', '\r\nExpect: x\r\n\r\n')],
    [
      'a wrong secret and an expectation of 100-continue',
      (text) => text.replace(SECRET, 'x').replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'),
    ],
    ['two lengths', (text) => text.replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n')],
    ['an invalid address', (text) => text.replace('/hook/claude-code?event=PreToolUse', 'http://[')],
    ['endless headers', (text) => text.replace('\r\n\r\n', `\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)],
    ['bytes that are not HTTP', () => '\0\0\0\0\r\n\r\n'],
  ])('%s', async (_name, change) => {
    expect(await raw(change(post('{}')))).toBe('')
    expect(calls).toEqual([])
  })
})

it('a port in use is reported as taken, and works when it is free again', async () => {
  const settings = { port, secret: SECRET, proofKey: PROOF_KEY, env: {} }
  const handler = { answer: async () => undefined }
  expect(await openHttpServer(settings, '/', handler)).toBe('taken')
  server.close()
  server = await opened()
  expect(server.port).toBe(port)
})

function raw(request: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.write(request))
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard))
  })
}

it('a port for hooks is one that no system gives to outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort))
  for (const each of ports) expect(each).toBeLessThan(32_768)
})
