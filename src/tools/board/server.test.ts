import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isLinux } from '../../library/testing/linux-only.ts'
import type { BoardApprovals } from './approvals.ts'
import type { Asset } from './assets.ts'
import type { Reader } from './reader.ts'
import { type BoardServer, openBoardServer } from './server.ts'
import { createLiveStream, type LiveStream } from './stream.ts'
import { createBoardTokens } from './tokens.ts'

/** The real server on a real port. What it reads is a fixed secret: nothing without the token may contain it. */

const SECRET = 'rm -rf secret-project'
const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ['index.html', { type: 'text/html', bytes: Buffer.from('<!doctype html>') }],
  ['app.js', { type: 'text/javascript', bytes: Buffer.from('app()') }],
])

let server: BoardServer
let stream: LiveStream
const tokens = createBoardTokens()
let token: string
const onUsedTwice = vi.fn()
const answer = vi.fn(async () => ({ settled: 'counted' }))
const unlock = vi.fn(async () => ({ refused: 'no' }))

beforeAll(async () => {
  const told = async () => ({ rows: [SECRET] })
  const reader = new Proxy({}, { get: () => told }) as Reader
  const state = { board: { kind: 'unconnected' as const }, pending: [] }
  const approvals: BoardApprovals = { state: () => state, unlock, answer, close: () => {} }
  stream = createLiveStream(() => [{ kind: 'approvals', state }])
  const hello = async () => ({ project: SECRET, projects: [], hosts: [], version: '1', user: 'dev' })
  const uid = process.getuid?.()
  const rest = { reader, slowReader: reader, approvals, hello, onUsedTwice, uid }
  server = await openBoardServer({ port: 0, tokens, assets: ASSETS, stream, ...rest })
})
afterAll(() => server.close())
beforeEach(() => {
  token = tokens.redeem(tokens.issue())
  vi.clearAllMocks()
})

interface Reply {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: server.port, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          headers: response.headers,
        }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const bearer = () => ({ authorization: `Bearer ${token}` })
const JSON_BODY = { 'content-type': 'application/json' }
const READS = ['hello', 'records', 'sessions', 'session', 'why', 'policy', 'agents', 'report', 'live'].map(
  (name) => `/api/${name}`,
)
const WRITES = ['try', 'diff', 'unlock', 'answer'].map((name) => `/api/${name}`)

describe('without the token', () => {
  it.each([...READS, ...WRITES, '/api/', '/api/../api/records', '/api/%72ecords'])(
    '%s tells nothing',
    async (path) => {
      for (const headers of [{}, { authorization: 'Bearer' }, { authorization: 'Bearer wrongwrongwrong' }]) {
        for (const asked of [
          { headers },
          { headers: { ...headers, ...JSON_BODY }, method: 'POST', body: '{}' },
        ]) {
          const reply = await ask(path, asked)
          expect(reply.status).toBeGreaterThanOrEqual(400)
          expect(reply.text).not.toContain('secret')
        }
      }
      expect(answer).not.toHaveBeenCalled()
      expect(unlock).not.toHaveBeenCalled()
    },
  )

  it('a token in the address or in a cookie does not count', async () => {
    expect((await ask(`/api/records?token=${token}`)).status).toBe(401)
    expect((await ask('/api/records', { headers: { cookie: `token=${token}` } })).status).toBe(401)
  })
})

describe('with the token', () => {
  it.each(READS.slice(0, -1))('%s is answered', async (path) => {
    const reply = await ask(path, { headers: bearer() })
    expect([reply.status, reply.text.includes(SECRET)]).toEqual([200, true])
  })

  it('a link gives it once; the second use ends the first', async () => {
    const code = server.link().split('#open=')[1] ?? ''
    const open = () =>
      ask('/api/open', { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ code }) })
    const first = JSON.parse((await open()).text).token as string
    const records = () => ask('/api/records', { headers: { authorization: `Bearer ${first}` } })
    expect((await records()).status).toBe(200)
    expect((await open()).status).toBe(401)
    expect((await records()).status).toBe(401)
    expect(onUsedTwice).toHaveBeenCalledOnce()
  })
})

describe('another page in the same browser', () => {
  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['by another name', { host: 'evil.example' }, 421],
    ['by the name localhost', { host: 'localhost' }, 421],
    ['of another origin', { origin: 'https://evil.example' }, 403],
    ['without an origin', { origin: 'null' }, 403],
    ['of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['of another port', { 'sec-fetch-site': 'same-site' }, 403],
  ])('%s is refused, also with the token and for files', async (_name, headers, status) => {
    for (const path of ['/api/records', '/', '/app.js']) {
      const reply = await ask(path, { headers: { ...bearer(), ...headers } })
      expect([reply.status, reply.text.includes(SECRET)]).toEqual([status, false])
    }
  })

  it('cannot send a form, because a form is not JSON', async () => {
    const headers = { ...bearer(), 'content-type': 'text/plain' }
    expect((await ask('/api/answer', { method: 'POST', headers, body: '{}' })).status).toBe(400)
    expect(answer).not.toHaveBeenCalled()
  })
})

describe('every reply', () => {
  it.each(['/', '/why/a.b', '/app.js', '/api/records', '/nothing.png'])(
    '%s has the headers that protect it',
    async (path) => {
      const { headers } = await ask(path)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'; script-src 'self'")
      expect(policy).not.toContain('unsafe')
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect(headers['set-cookie']).toBeUndefined()
    },
  )
})

describe('bad input', () => {
  const post = (body: string, headers = {}) =>
    ask('/api/try', { method: 'POST', headers: { ...bearer(), ...JSON_BODY, ...headers }, body })

  it.each([
    ['no JSON', '{', 400],
    ['a list', '[]', 400],
    ['more than 256 kB', JSON.stringify('x'.repeat(300_000)), 400],
    ['a NUL byte', '\0', 400],
  ])('%s is refused', async (_name, body, status) => {
    expect((await post(body)).status).toBe(status)
  })

  it.each(['/../package.json', '/%2e%2e/package.json', '/index.html', '/app.js/../../x.js'])(
    'the path %s reaches no other file',
    async (path) => {
      const { status, text } = await ask(path)
      expect([200, 404]).toContain(status)
      expect(['<!doctype html>', '{"message":"There is no such file."}']).toContain(text)
    },
  )

  it.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH'])('the method %s is refused', async (method) => {
    expect((await ask('/api/records', { method, headers: bearer() })).status).toBe(405)
    expect((await ask('/', { method })).status).toBe(405)
  })

  it('a request that is no HTTP ends its connection only', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.end('\0\0\0 garbage\r\n\r\n')
    await new Promise((resolve) => socket.resume().once('close', resolve))
    expect((await ask('/')).status).toBe(200)
  })
})

it('what happens reaches the pages that have the token, as it happens', async () => {
  const path = '/api/live'
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: server.port, path, headers: bearer() }, (response) => {
      let all = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        all += part
        if (all.includes(': hello')) stream.send({ kind: 'records', rows: [] })
        if (all.includes('"records"')) {
          resolve(all)
          sent.destroy()
        }
      })
    })
    sent.on('error', reject)
    sent.end()
  })
  expect(text).toContain('data: {"kind":"approvals"')
  expect(text).toContain('data: {"kind":"records","rows":[]}\n\n')
})

// Only root can become another user.
it.runIf(process.getuid?.() === 0 && isLinux)(
  'a program of another user gets no answer, not even with the token',
  async () => {
    // Not with fetch: Node.js may exit without a word if its connection is closed early.
    const options = JSON.stringify({ host: '127.0.0.1', port: server.port, headers: bearer() })
    const program = `require('node:http').get(${options}, (reply) => console.log('got', reply.statusCode)).on('error', () => console.log('closed'))`
    const said = async (uid: number) => {
      const child = spawn(process.execPath, ['-e', program], {
        uid,
        gid: uid,
        cwd: '/',
        env: {},
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let text = ''
      for await (const part of child.stdout) text += part
      return text.trim()
    }
    expect(await said(65_534)).toBe('closed')
    expect(await said(0)).toBe('got 200')
  },
)
