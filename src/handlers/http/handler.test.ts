import { createPrivateKey } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Failure } from '../../core/decision.ts'
import type { HandlerSpec, Hook } from '../../core/hook.ts'
import type { JsonObject } from '../../core/json.ts'
import { actorOf, bash, frozenFacts } from '../../library/testing/events.ts'
import { hookOf } from '../../library/testing/hooks.ts'
import { handlerContract } from '../handler.contract.ts'
import { create } from './handler.ts'

interface Seen {
  readonly method: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: JsonObject
}

const DENY = JSON.stringify({ decision: 'block', reason: 'not on a Friday' })
const TEN_MB = 10 * 1024 * 1024

/** Responses that the silent path has not sent. */
let waiting = 0
const used = new WeakSet<object>()

/** One path for each behaviour. */
const PATHS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  deny: (response) => response.end(DENY),
  nothing: (response) => response.end('{}'),
  'made-but-empty': (response) => response.writeHead(204).end(),
  empty: (response) => response.end(),
  moved: (response) => response.writeHead(301, { location: '/deny' }).end(DENY),
  forbidden: (response) => response.writeHead(403).end(DENY),
  broken: (response) => response.writeHead(500).end(DENY),
  garbage: (response) => response.end('<html>hello</html>'),
  list: (response) => response.end('[]'),
  cut: (response) => response.end('{"decision": "blo'),
  'no-answer-in-it': (response) => response.end('{"hello": "world"}'),
  silent: (response) => {
    waiting += 1
    response.on('close', () => {
      waiting -= 1
    })
  },
  endless: (response) => drip(response),
  reset: (response) => response.socket?.resetAndDestroy(),
  // A connection is served only once here; a second request on it is cut off.
  once: (response) => {
    const socket = response.socket
    if (socket === null || used.has(socket)) socket?.resetAndDestroy()
    else {
      used.add(socket)
      response.end('{}')
    }
  },
  'cut-off': (response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write('{')
    setTimeout(() => response.socket?.destroy(), 20)
  },
  compressed: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(DENY)),
  huge: (response) => response.end(JSON.stringify({ decision: 'block', reason: 'x'.repeat(TEN_MB) })),
  'says-html': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(DENY),
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(timer))
}

const seen: Seen[] = []
let server: Server
let secure: Server
let origin = ''
let secureOrigin = ''
let closed = ''

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    seen.push({ method: request.method, headers: request.headers, body })
    PATHS[new URL(request.url ?? '/', 'http://localhost').pathname.slice(1)]?.(response)
  })
  // Self-signed; the key protects nothing.
  const key = createPrivateKey({ key: Buffer.from(KEY, 'base64'), format: 'der', type: 'pkcs8' })
  const cert = `-----BEGIN CERTIFICATE-----\n${CERTIFICATE}\n-----END CERTIFICATE-----\n`
  secure = createSecureServer({ key: key.export({ format: 'pem', type: 'pkcs8' }), cert }, (_, response) =>
    response.end(DENY),
  )
  origin = await listen(server)
  secureOrigin = (await listen(secure)).replace('http:', 'https:')
  const gone = createServer()
  closed = await listen(gone)
  gone.close()
})
afterAll(() => {
  for (const each of [server, secure]) {
    each.closeAllConnections()
    each.close()
  }
})

function listen(on: Server): Promise<string> {
  return new Promise((resolve) => {
    on.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(on.address() as AddressInfo).port}`))
  })
}

/** The server's port is only known when it listens, but the contract needs its hooks earlier. */
function at(path: string, more: object = {}): Hook {
  return {
    ...hookOf({}),
    get run(): HandlerSpec {
      return { type: 'http', url: `${origin}/${path}`, ...more }
    },
  }
}

async function ask(run: object, env = {}, signal = new AbortController().signal) {
  const prepared = await create().prepare(hookOf({ run: { type: 'http', ...run } }))
  if (typeof prepared !== 'function') return prepared
  const event = bash('ls', { raw: { extra: 'kept' } })
  return prepared({
    event,
    actor: actorOf(event),
    facts: frozenFacts({ env }),
    memory: {},
    timeoutMs: 10_000,
    signal,
  })
}

handlerContract({
  handler: create(),
  denies: at('deny'),
  passes: at('nothing'),
  breaks: at('broken'),
  invalidOutput: at('garbage'),
  hangs: {
    hook: at('silent'),
    begun: () => waiting === 1,
    gone: async () => {
      for (let tries = 0; tries < 3_000; tries += 1) {
        if (waiting === 0) return true
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return false
    },
  },
  missing: hookOf({ run: { type: 'http', url: 'ftp://policy.example/hook' } }),
  written: [{ url: 'https://policy.example/hook', headers: { 'X-Key': '$KEY' }, allowedEnvVars: ['KEY'] }],
})

const OUTCOMES: readonly [path: string, outcome: Partial<Answer | Failure> | null][] = [
  ['deny', { effect: 'deny', reason: 'not on a Friday' }],
  ['nothing', null],
  ['says-html', { effect: 'deny' }],
  ['made-but-empty', { failure: 'invalidOutput' }],
  ['empty', { failure: 'invalidOutput', message: expect.stringContaining('no opinion is `{}`') }],
  ['moved', { failure: 'crash' }],
  ['forbidden', { failure: 'crash' }],
  ['broken', { failure: 'crash' }],
  ['garbage', { failure: 'invalidOutput' }],
  ['list', { failure: 'invalidOutput' }],
  ['cut', { failure: 'invalidOutput' }],
  ['no-answer-in-it', { failure: 'invalidOutput' }],
  ['compressed', { failure: 'invalidOutput' }],
  ['huge', { failure: 'invalidOutput' }],
  ['reset', { failure: 'crash' }],
  ['cut-off', { failure: 'crash' }],
]

describe('an http hook', () => {
  it.each(OUTCOMES)('answers as expected: %s', async (path, outcome) => {
    const answer = await ask({ url: `${origin}/${path}` })
    if (outcome === null) expect(answer).toBeNull()
    else expect(answer).toMatchObject(outcome)
  })

  it('does not follow a redirect, and reports it', async () => {
    seen.length = 0
    const outcome = await ask({ url: `${origin}/moved` })
    expect(seen).toHaveLength(1)
    expect(outcome).toMatchObject({ message: expect.stringContaining('redirect (301) to "/deny"') })
  })

  it.each(['silent', 'endless'])('with a server that is %s is aborted at its deadline', async (path) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 100)
    expect(await ask({ url: `${origin}/${path}` }, {}, controller.signal)).toMatchObject({
      failure: 'timeout',
    })
  })

  it('sends no request if its time is already up', async () => {
    seen.length = 0
    expect(await ask({ url: `${origin}/deny` }, {}, AbortSignal.abort())).toMatchObject({
      failure: 'timeout',
    })
    expect(seen).toHaveLength(0)
  })

  it('sends the event as JSON, in the format of its protocol', async () => {
    seen.length = 0
    await ask({ url: `${origin}/nothing` })
    await ask({ url: `${origin}/nothing`, protocol: 'massgen' })
    expect(seen[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
      body: { hook_event_name: 'PreToolUse', tool_input: { command: 'ls' }, extra: 'kept' },
    })
    expect(seen[1]?.body).toMatchObject({ hook_type: 'PreToolUse', orchestrator_id: 'session-1' })
  })

  it('inserts only the variables it lists', async () => {
    seen.length = 0
    const headers = {
      Authorization: 'Bearer $TOKEN',
      'X-Both': '${TOKEN}-$HOME_SECRET.',
      'X-Unset': '[$UNSET]',
      'Content-Length': '1',
      Host: 'elsewhere',
    }
    const env = { TOKEN: 't0k', HOME_SECRET: 'never' }
    await ask({ url: `${origin}/nothing`, headers, allowedEnvVars: ['TOKEN', 'UNSET'] }, env)
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer t0k',
      'x-both': 't0k-.',
      'x-unset': '[]',
      host: new URL(origin).host,
    })
  })

  it('does not let a variable start another header, and does not reveal its value', async () => {
    seen.length = 0
    const run = { url: `${origin}/deny`, headers: { 'X-A': '$A' }, allowedEnvVars: ['A'] }
    const outcome = await ask(run, { A: 'secret\r\nX-Injected: 1' })
    expect(outcome).toMatchObject({ failure: 'crash', message: expect.not.stringContaining('secret') })
    expect(seen).toHaveLength(0)
  })

  it('does not show the query of its address', async () => {
    const outcome = await ask({ url: `${origin}/broken?key=hunter2` })
    expect(outcome).toMatchObject({ failure: 'crash', message: expect.not.stringContaining('hunter2') })
  })

  it('retries once if a kept connection is closed', async () => {
    seen.length = 0
    expect(await ask({ url: `${origin}/once` })).toBeNull()
    expect(await ask({ url: `${origin}/once` })).toBeNull()
    expect(seen).toHaveLength(3)
  })

  it('is a crash if nothing listens on the port', async () => {
    expect(await ask({ url: `${closed}/deny` })).toMatchObject({
      failure: 'crash',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('is a crash without TLS, or with a certificate that is not trusted', async () => {
    expect(await ask({ url: `${origin.replace('http:', 'https:')}/deny` })).toMatchObject({
      failure: 'crash',
    })
    expect(await ask({ url: `${secureOrigin}/deny` })).toMatchObject({ failure: 'crash' })
  })

  it('checks certificates whatever the environment says', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await ask({ url: `${secureOrigin}/deny` })).toMatchObject({ failure: 'crash' })
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
  })

  it.each([
    ['no address', {}],
    ['another scheme', { url: 'file:///etc/passwd' }],
    ['no address at all', { url: 'policy' }],
    ['a password', { url: 'https://me:secret@policy.example/' }],
    ['plain http to another machine', { url: 'http://policy.example/' }],
  ])('cannot be prepared with %s', async (_name, run) => {
    expect(await create().prepare(hookOf({ run: { type: 'http', ...run } }))).toMatchObject({
      failure: 'import',
    })
  })

  it.each([
    { url: 'http://policy.example/', insecure: true },
    { url: 'http://localhost:1/' },
    { url: 'http://[::1]:1/' },
    { url: 'https://policy.example/' },
  ])('accepts %o', async (run) => {
    expect(await create().prepare(hookOf({ run: { type: 'http', ...run } }))).toBeTypeOf('function')
  })

  it('waits for trust', async () => {
    const hook = hookOf({ run: { type: 'http', url: 'https://policy.example/' }, trusted: false })
    expect(await create().prepare(hook)).toMatchObject({ failure: 'untrusted' })
  })
})

const KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgy0bQokoc4VzSPF1aQCxyTnU8ghnYTWaCkP90OKQI4z2hRANCAASRXYHxl839SbGH7zJJmT+eS9xTVR73w0SweIbxHtiDVGobgwhU8ySZLSx1nxcUPU2bz9jJn58Q3UcIZp1hQud5'
const CERTIFICATE =
  'MIIBnDCCAUGgAwIBAgIUIyZE/HaYVaLqfuszgJr6FCakAdQwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTIyNTIxMVoYDzIxMjYxMDIyMjI1MjExWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASRXYHxl839SbGH7zJJmT+eS9xTVR73w0SweIbxHtiDVGobgwhU8ySZLSx1nxcUPU2bz9jJn58Q3UcIZp1hQud5o28wbTAdBgNVHQ4EFgQUUbaGDPhVwVlfwubJnkMDlWfFx7QwHwYDVR0jBBgwFoAUUbaGDPhVwVlfwubJnkMDlWfFx7QwDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZIzj0EAwIDSQAwRgIhAIYBtK+edxKM/G/1G0vPsfd1KjwaelvgalU/Yqd2zt7vAiEAzUrT5PPzR9ewVOCoCpb4B40C81wpkOax5e9TXMf7stM='
