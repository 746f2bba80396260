import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { divertedProblem, findListener } from './http-ready.ts'
import { openHttpServer } from './http-server.ts'
import { addressMark, type HttpSettings, proxyIn } from './http-settings.ts'

const secret = 'a'.repeat(64)
const proofKey = 'b'.repeat(64)
const opened: { close(): unknown }[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.close()
})

async function listening(server: Server): Promise<HttpSettings> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  opened.push(server)
  return { port: (server.address() as AddressInfo).port, secret, proofKey, env: {} }
}

async function nothingListens(): Promise<HttpSettings> {
  const server = createServer()
  const settings = await listening(server)
  await new Promise((done) => server.close(done))
  return settings
}

describe('the listener on the port', () => {
  it('is `ours` if it proves that it knows the secret', async () => {
    const settings = await nothingListens()
    const server = await openHttpServer(settings, '/', { answer: async () => undefined })
    if (server === 'taken') throw new Error('taken')
    opened.push(server)
    expect(await findListener(settings)).toBe('ours')
    expect(await findListener({ ...settings, proofKey: 'another' })).toBe('foreign')
  })

  it('is `none` if nothing listens or the connection is dropped', async () => {
    expect(await findListener(await nothingListens())).toBe('none')
    const dropping = createServer((socket) => socket.resetAndDestroy())
    expect(await findListener(await listening(dropping))).toBe('none')
  })

  it.each<[string, () => Server]>([
    ['answers every request with `{}`', () => createHttpServer((_request, response) => response.end('{}'))],
    ['answers with an empty body', () => createHttpServer((_request, response) => response.end())],
    [
      'repeats the nonce',
      () => createHttpServer((request, response) => response.end(request.url?.split('=')[1])),
    ],
    [
      'sends without end',
      () => createHttpServer((_request, response) => response.write('x'.repeat(100_000))),
    ],
    [
      'ends in the middle of its answer',
      () =>
        createHttpServer((_request, response) => {
          response.writeHead(200, { 'content-length': '64' })
          response.write('abc', () => response.destroy())
        }),
    ],
    ['does not speak HTTP', () => createServer((socket) => socket.end('SSH-2.0-x\r\n'))],
    ['never answers', () => createServer(() => {})],
  ])('is `foreign` if it %s', async (_name, make) => {
    expect(await findListener(await listening(make()))).toBe('foreign')
  })
})

describe('the environment variable that would send requests to a proxy', () => {
  it.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ HTTP_PROXY: '' }, undefined],
    [{ HTTP_PROXY: 'p' }, 'HTTP_PROXY'],
    [{ http_proxy: 'p' }, 'http_proxy'],
    [{ HTTPS_PROXY: 'p' }, 'HTTPS_PROXY'],
    [{ all_proxy: 'p' }, 'all_proxy'],
    [{ HTTP_PROXY: 'p', NO_PROXY: '127.0.0.1' }, undefined],
    [{ HTTP_PROXY: 'p', no_proxy: 'localhost, 127.0.0.1' }, undefined],
    [{ HTTP_PROXY: 'p', NO_PROXY: '*' }, undefined],
    [{ HTTP_PROXY: 'p', NO_PROXY: 'localhost' }, 'HTTP_PROXY'],
    [{ HTTP_PROXY: 'p', NO_PROXY: '127.0.0.10' }, 'HTTP_PROXY'],
    [{ HTTP_PROXY: 'p', NO_PROXY: '127.0.0.1', no_proxy: 'nowhere' }, 'HTTP_PROXY'],
    [{ HTTP_PROXY: 'p', NO_PROXY: '' }, 'HTTP_PROXY'],
    [{ NO_PROXY: 'nowhere' }, undefined],
  ])('in %o is %s', (env, variable) => {
    expect(proxyIn(env)).toBe(variable)
    expect(divertedProblem(env)?.code).toBe(variable === undefined ? undefined : 'HTTP_PORT_TAKEN')
  })
})

it('the mark of an address is stable, differs for another secret, and contains no part of it', () => {
  expect(addressMark(secret)).toMatch(/^[0-9a-f]{16}$/)
  expect(addressMark(secret)).toBe(addressMark(secret))
  expect(addressMark('b')).not.toBe(addressMark(secret))
  expect(secret).not.toContain(addressMark(secret))
})
