import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openHttpDoor } from './http-door.ts'
import { divertedProblem, findListener } from './http-ready.ts'
import { addressMark, type HttpSettings, proxyIn } from './http-settings.ts'

const secret = 'a'.repeat(64)
const opened: { close(): unknown }[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.close()
})

async function listening(server: Server): Promise<HttpSettings> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  opened.push(server)
  return { port: (server.address() as AddressInfo).port, secret, env: {} }
}

async function nobody(): Promise<HttpSettings> {
  const server = createServer()
  const settings = await listening(server)
  await new Promise((done) => server.close(done))
  return settings
}

describe('who listens', () => {
  it('is ours, when it proves to know the secret', async () => {
    const settings = await nobody()
    const door = await openHttpDoor(settings, '/', { answer: async () => undefined })
    if (door === 'taken') throw new Error('taken')
    opened.push(door)
    expect(await findListener(settings)).toBe('ours')
    expect(await findListener({ ...settings, secret: 'another' })).toBe('foreign')
  })

  it('is nobody, when nobody does or the connection is dropped', async () => {
    expect(await findListener(await nobody())).toBe('nobody')
    const dropping = createServer((socket) => socket.resetAndDestroy())
    expect(await findListener(await listening(dropping))).toBe('nobody')
  })

  it.each<[string, () => Server]>([
    ['says yes to everything', () => createHttpServer((_request, response) => response.end('{}'))],
    ['says nothing in it', () => createHttpServer((_request, response) => response.end())],
    [
      'repeats what it is asked',
      () => createHttpServer((request, response) => response.end(request.url?.split('=')[1])),
    ],
    ['never ends', () => createHttpServer((_request, response) => response.write('x'.repeat(100_000)))],
    [
      'ends half way',
      () =>
        createHttpServer((_request, response) => {
          response.writeHead(200, { 'content-length': '64' })
          response.write('abc', () => response.destroy())
        }),
    ],
    ['speaks no HTTP', () => createServer((socket) => socket.end('SSH-2.0-x\r\n'))],
    ['is silent', () => createServer(() => {})],
  ])('is foreign, when it %s', async (_name, make) => {
    expect(await findListener(await listening(make()))).toBe('foreign')
  })
})

describe('a proxy that would be asked instead', () => {
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
  ])('%o: %s', (env, variable) => {
    expect(proxyIn(env)).toBe(variable)
    expect(divertedProblem(env)?.code).toBe(variable === undefined ? undefined : 'HTTP_PORT_TAKEN')
  })
})

it('the mark of an address is always the same, another for another secret, and no part of it', () => {
  expect(addressMark(secret)).toMatch(/^[0-9a-f]{16}$/)
  expect(addressMark(secret)).toBe(addressMark(secret))
  expect(addressMark('b')).not.toBe(addressMark(secret))
  expect(secret).not.toContain(addressMark(secret))
})
