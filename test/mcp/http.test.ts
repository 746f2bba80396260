import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { openHttpGate } from '../../src/adapters/mcp/http-gate.ts'
import { openHttpLink } from '../../src/adapters/mcp/http-link.ts'
import { openStdioGate } from '../../src/adapters/mcp/stdio.ts'
import { good } from '../../src/core/errors.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { type Answers, call, openGate, result, textOf } from './gate.ts'

/** Streamable HTTP on both sides of the gate, with servers that send invalid answers. */

type Serve = (message: JsonObject, response: ServerResponse, request: IncomingMessage) => void

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serverThat(serve: Serve): Promise<string> {
  const server: Server = createServer(async (incoming, response) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    serve(text === '' ? {} : JSON.parse(text), response, incoming)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const json = (response: ServerResponse, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

function events(response: ServerResponse, ...data: (string | JsonObject)[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const each of data) {
    response.write(typeof each === 'string' ? each : `event: message\ndata: ${JSON.stringify(each)}\n\n`)
  }
}

/** The gate as a server: its address, and the answer to a POST. */
async function listening(url: string, answers: Answers = {}) {
  const rig = openGate(answers, { replays: true })
  const opened = await openHttpGate({
    server: { url, headers: { 'x-key': 'k' } },
    port: 0,
    secret: 's',
    newGate: () => rig.gate,
  })
  if (!opened.ok) throw new Error(opened.problem.message)
  closers.push(opened.value.close)
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    ask('POST', opened.value.url, headers, body)
  return { ...rig, url: opened.value.url, post }
}

interface Got {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly headers: IncomingMessage['headers']
}

function ask(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const accept = 'application/json, text/event-stream'
    const asked = request(
      url,
      { method, headers: { accept, 'content-type': 'application/json', ...headers } },
      async (response) => {
        let text = ''
        try {
          for await (const chunk of response) text += chunk
        } catch {
          text += ' (broken)'
        }
        const type = response.headers['content-type'] ?? ''
        resolve({ status: response.statusCode ?? 0, type, text, headers: response.headers })
      },
    )
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
}

const MASK: Answers = { PostToolUse: { output: 'masked' } }

describe('a gate that listens', () => {
  it('checks a result that is one message', async () => {
    const { post } = await listening(
      await serverThat(({ id }, response) => json(response, result(id ?? 0, 'secret'))),
      MASK,
    )
    const { status, text } = await post(call(1))
    expect([status, textOf(text)]).toEqual([200, 'masked'])
  })

  it('checks a result in a stream, and passes everything else in order, with its ids', async () => {
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: {} }
    const { post } = await listening(
      await serverThat(({ id }, response) => {
        events(
          response,
          'id: e0\nretry: 250\ndata:\n\n',
          progress,
          `id: e2\ndata: ${JSON.stringify(result(id ?? 0, 'secret'))}\n\n`,
        )
        response.end()
      }),
      MASK,
    )
    const { type, text } = await post(call(1))
    expect(type).toBe('text/event-stream')
    expect(text).not.toContain('secret')
    expect(text.match(/^(?:id|data|retry): ?.*$/gm)).toEqual([
      'retry: 250',
      'id: e0',
      // Without data, clients would not store the id.
      'data:',
      `data: ${JSON.stringify(progress)}`,
      'id: e2',
      `data: ${JSON.stringify(result(1, 'masked'))}`,
    ])
  })

  it('answers a denied call itself', async () => {
    const asked: string[] = []
    const url = await serverThat((message, response) => {
      asked.push(String(message.method))
      json(response, {})
    })
    const { post } = await listening(url, { PreToolUse: { effect: 'deny', reason: 'no' } })
    expect(textOf((await post(call(1))).text)).toBe('Holdpoint denied this call. no')
    expect(asked).toEqual([])
  })

  it('asks the user in the stream of the call, and gets the answer in a separate request', async () => {
    const url = await serverThat(({ id, method }, response) =>
      json(
        response,
        method === 'initialize' ? { jsonrpc: '2.0', id: id ?? 0, result: {} } : result(id ?? 0),
        {
          'mcp-session-id': 'abc',
        },
      ),
    )
    const { post, judged } = await listening(url, { PreToolUse: { effect: 'ask', reason: 'Sure?' } })
    const init = await post({ id: 0, method: 'initialize', params: { capabilities: { elicitation: {} } } })
    expect(init.headers['mcp-session-id']).toBe('abc')
    const called = post(call(1), { 'mcp-session-id': 'abc' })
    const answer = { id: 'holdpoint-id2', result: { action: 'accept', content: { answer: 'yes' } } }
    while (judged.length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    expect((await post(answer, { 'mcp-session-id': 'abc' })).status).toBe(202)
    const { text } = await called
    expect(text).toMatch(/elicitation\/create[\s\S]*"text":"done"/)
  })

  it.each<[string, number, Serve]>([
    ['another status', 500, (_message, response) => response.writeHead(500).end('secret words')],
    ['404, because the session is gone', 404, (_message, response) => response.writeHead(404).end()],
    ['401', 401, (_message, response) => response.writeHead(401, { 'www-authenticate': 'x' }).end()],
    [
      'a redirect around the gate',
      307,
      (_message, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    [
      'a page',
      200,
      (_message, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<b>secret words</b>'),
    ],
    [
      'compressed',
      200,
      (_message, response) =>
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x'),
    ],
    ['202 and no answer', 200, (_message, response) => response.writeHead(202).end()],
    ['a closed connection', 502, (_message, response) => response.destroy()],
    [
      'garbage',
      200,
      (_message, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1,"id":1,"result":{}}'),
    ],
  ])('reports to the client if the server answers with %s', async (_name, status, serve) => {
    const { post, judged } = await listening(await serverThat(serve))
    const got = await post(call(1))
    expect(got.status).toBe(status)
    expect(JSON.parse(got.text)).toMatchObject({ id: 1, error: {} })
    expect(got.text).not.toContain('secret words')
    expect([got.headers.location, got.headers['www-authenticate']]).toEqual([undefined, undefined])
    expect(judged.length).toBeGreaterThan(0)
  })

  it('checks an answer again if a client requests it once more', async () => {
    const url = await serverThat(({ id }, response, { method }) => {
      if (method !== 'GET') return void json(response, result(id ?? 0, 'secret'))
      events(response, `id: e1\ndata: ${JSON.stringify(result(1, 'secret'))}\n\n`)
      response.end()
    })
    const gate = await listening(url, MASK)
    await gate.post(call(1), { 'mcp-session-id': 'a' })
    const { text } = await ask('GET', gate.url, { 'mcp-session-id': 'a', 'last-event-id': 'e0' })
    expect(text).toContain('masked')
    expect(text).not.toContain('secret')
  })

  it('passes on the headers of the client, and adds its own', async () => {
    let seen: IncomingMessage['headers'] = {}
    const url = await serverThat(({ id }, response, incoming) => {
      seen = incoming.headers
      json(response, { jsonrpc: '2.0', id: id ?? 0, result: {} })
    })
    const { post } = await listening(url)
    await post(
      { id: 1, method: 'ping' },
      { authorization: 'Bearer t', 'mcp-protocol-version': 'v', via: 'x' },
    )
    expect(seen).toMatchObject({ authorization: 'Bearer t', 'mcp-protocol-version': 'v', 'x-key': 'k' })
    expect(seen.via).toBeUndefined()
  })

  it.each<[string, string, Record<string, string>, number]>([
    ['another path', '/mcp', {}, 404],
    ['a web page', '/s/mcp', { origin: 'https://example.com' }, 404],
    ['another host name', '/s/mcp', { host: 'example.com' }, 404],
  ])('refuses %s', async (_name, path, headers, status) => {
    const { url } = await listening(await serverThat((_message, response) => json(response, {})))
    const got = await ask('POST', new URL(path, url).href, headers, call(1))
    expect([got.status, got.text]).toEqual([status, ''])
  })

  it('refuses a message that is too large, and any other method', async () => {
    const { url, post } = await listening(await serverThat((_message, response) => json(response, {})))
    expect((await post(Buffer.alloc(33 * 1024 * 1024, 120))).status).toBe(413)
    expect((await ask('PUT', url)).status).toBe(405)
  })

  it('reports that it cannot use the port', async () => {
    const { url } = await listening('http://127.0.0.1:1/')
    const port = Number(new URL(url).port)
    const taken = await openHttpGate({
      server: { url, headers: {} },
      port,
      secret: 's',
      newGate: () => openGate().gate,
    })
    expect(taken).toMatchObject({ ok: false, problem: { code: 'SERVER_UNSTARTED' } })
  })
})

/** A client on streams, and a server over HTTP. */
async function linked(url: string, answers: Answers = {}) {
  const rig = openGate(answers)
  const [input, output] = [new PassThrough(), new PassThrough()]
  const opened = await openStdioGate({
    gate: rig.gate,
    input,
    output,
    open: async (listener) => good(openHttpLink({ url, headers: { authorization: 'Bearer t' } }, listener)),
    say: (text) => rig.said.push(text),
  })
  if (!opened.ok) throw new Error('not opened')
  closers.push(opened.value.stop)
  const messages: JsonObject[] = []
  output.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().trim().split('\n')) messages.push(JSON.parse(line))
  })
  return {
    ...rig,
    ...opened.value,
    input,
    say: (message: JsonObject) => void input.write(`${JSON.stringify(message)}\n`),
    async until(count: number) {
      while (messages.length < count) await new Promise((resolve) => setTimeout(resolve, 2))
      return messages
    },
  }
}

describe('a server over HTTP for a client on standard input', () => {
  it('gets session, version and token with every request, and a request at the end', async () => {
    const seen: (readonly unknown[])[] = []
    const url = await serverThat(({ id, method }, response, { headers, method: verb }) => {
      seen.push([
        verb,
        method,
        headers['mcp-session-id'],
        headers['mcp-protocol-version'],
        headers.authorization,
      ])
      if (verb === 'GET') return void response.writeHead(405).end()
      if (id === undefined) return void response.writeHead(202).end()
      json(response, { jsonrpc: '2.0', id, result: { protocolVersion: 'v1' } }, { 'mcp-session-id': 'abc' })
    })
    const { say, until, input, ended } = await linked(url)
    say({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} })
    await until(1)
    say({ jsonrpc: '2.0', method: 'notifications/initialized' })
    say({ jsonrpc: '2.0', id: 1, method: 'ping' })
    await until(2)
    input.end()
    expect(await ended).toBe(0)
    const named = ['abc', 'v1', 'Bearer t']
    expect(seen[0]).toEqual(['POST', 'initialize', undefined, undefined, 'Bearer t'])
    expect(seen.slice(1).toSorted()).toEqual(
      [
        ['DELETE', undefined, ...named],
        ['GET', undefined, ...named],
        ['POST', 'notifications/initialized', ...named],
        ['POST', 'ping', ...named],
      ].toSorted(),
    )
  })

  it('whose stream breaks is asked for the rest, and the result is checked', async () => {
    const url = await serverThat((_message, response, { method, headers }) => {
      if (method === 'POST') {
        events(response, 'retry: 1\nid: e1\ndata:\n\n')
        return void response.end()
      }
      events(response, result(1, headers['last-event-id'] === 'e1' ? 'secret' : 'from the start'))
      response.end()
    })
    const { say, until } = await linked(url, MASK)
    say(call(1))
    expect(textOf(JSON.stringify((await until(1))[0]))).toBe('masked')
  })

  it.each([true, false])(
    'that is still answering when the client ends is closed: named session %s',
    async (isNamed) => {
      const seen: unknown[] = []
      const url = await serverThat(({ id, method }, response, { method: verb }) => {
        seen.push(method ?? verb)
        const session: Record<string, string> = isNamed ? { 'mcp-session-id': 'abc' } : {}
        if (method === 'initialize')
          return void json(response, { jsonrpc: '2.0', id: 0, result: {} }, session)
        if (verb === 'DELETE') return void response.writeHead(200).end()
        setTimeout(() => json(response, result(id ?? 0)), 100)
      })
      const { say, until, input, ended } = await linked(url)
      say({ jsonrpc: '2.0', id: 0, method: 'initialize' })
      await until(1)
      say(call(1))
      input.end()
      expect(await ended).toBe(0)
      expect((await until(2))[1]).toEqual(result(1))
      expect(seen).toEqual(['initialize', 'tools/call', ...(isNamed ? ['DELETE'] : [])])
    },
  )

  it('whose open stream ends again and again is connected again', async () => {
    let asked = 0
    const url = await serverThat(({ id }, response, { method }) => {
      if (method === 'POST') {
        return void (id === undefined
          ? response.writeHead(202).end()
          : json(response, { jsonrpc: '2.0', id, result: {} }))
      }
      asked += 1
      events(response, 'retry: 1\n\n')
      if (asked > 6) events(response, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
      response.end()
    })
    const { input, until } = await linked(url)
    input.write('{"jsonrpc":"2.0","method":"notifications\\/initialized"}\n')
    expect((await until(1))[0]).toMatchObject({ method: 'notifications/tools/list_changed' })
  })

  it('that never accepts a notification does not block other calls', async () => {
    const url = await serverThat(({ id }, response) => {
      if (id !== undefined) json(response, { jsonrpc: '2.0', id, result: {} })
    })
    const { say, until } = await linked(url)
    say({ jsonrpc: '2.0', method: 'notifications/x' })
    say({ jsonrpc: '2.0', id: 1, method: 'ping' })
    expect((await until(1))[0]).toMatchObject({ id: 1 })
  })

  it('with a message on several lines gives the client one message', async () => {
    const url = await serverThat(({ id }, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(result(id ?? 0), null, 2))
    })
    const { say, until } = await linked(url)
    say(call(1))
    expect(await until(1)).toEqual([result(1)])
  })

  it.each<[string, Serve]>([
    ['a status', (_message, response) => response.writeHead(500).end()],
    ['silence', (_message, response) => response.writeHead(202).end()],
    [
      'a stream without an answer',
      (_message, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
    ],
    ['a redirect', (_message, response) => response.writeHead(308, { location: '/' }).end()],
    ['a closed connection', (_message, response) => response.destroy()],
  ])('that answers with %s gives the client an error', async (_name, serve) => {
    const { say, until, judged } = await linked(await serverThat(serve))
    say(call(1))
    expect((await until(1))[0]).toMatchObject({ id: 1, error: { code: -32603 } })
    expect(judged.map(({ kind }) => kind)).toEqual(['PreToolUse', 'PostToolUseFailure'])
  })

  it('that does not exist gives the client an error', async () => {
    const { say, until } = await linked('http://127.0.0.1:1/mcp')
    say(call(1))
    expect((await until(1))[0]).toMatchObject({
      error: { message: expect.stringContaining('cannot be reached') },
    })
  })

  it('that has forgotten the session ends the gate, so that the client starts again', async () => {
    const url = await serverThat(({ id, method }, response) =>
      method === 'initialize'
        ? json(response, { jsonrpc: '2.0', id: id ?? 0, result: {} }, { 'mcp-session-id': 'abc' })
        : response.writeHead(404).end(),
    )
    const { say, until, ended } = await linked(url)
    say({ jsonrpc: '2.0', id: 0, method: 'initialize' })
    await until(1)
    say(call(1))
    expect(await ended).toBe(69)
    expect((await until(2))[1]).toMatchObject({ id: 1, error: {} })
  })
})
