import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { bad, good, type Result } from '../../core/errors.ts'
import type { McpGate } from './gate.ts'
import { bodyOf, exchange, type HttpAnswer, hear } from './http-exchange.ts'
import { createHttpReply, type GateReply } from './http-reply.ts'
import { idsIn, type McpHttpServer } from './http-session.ts'
import { CODES, errorMessage, MESSAGE_MAX_BYTES } from './message.ts'

export interface HttpGateOptions {
  readonly server: McpHttpServer
  readonly port: number
  /** The secret that clients must know: it is part of the path. */
  readonly secret: string
  /** A gate for a client that is not known yet. */
  newGate(): McpGate
}

export interface HttpGate {
  readonly url: string
  close(): void
}

/** The oldest sessions are dropped; a client whose session was dropped gets no more questions. */
const SESSIONS_MAX = 1_000
const LOOPBACK = '127.0.0.1'

/**
 * A server over streamable HTTP in front of another one. It listens only on loopback, and only for clients
 * that know the secret path, which a web page does not. Streams are forwarded event by event.
 */
export function openHttpGate(options: HttpGateOptions): Promise<Result<HttpGate>> {
  const sessions = new Map<string, McpGate>()
  const path = `/${options.secret}/mcp`
  let port = options.port
  const server = createServer((request, response) => {
    const isOurs =
      request.url === path &&
      request.headers.origin === undefined &&
      [`${LOOPBACK}:${port}`, `localhost:${port}`].includes(request.headers.host ?? '')
    if (!isOurs) return void response.writeHead(404).end()
    serve(request, response, options, sessions).catch(() => response.destroy())
  })
  return new Promise((resolve) => {
    server.once('error', (error) => {
      resolve(bad('SERVER_UNSTARTED', `Port ${options.port} cannot be listened on: ${error.message}.`))
    })
    server.listen(options.port, LOOPBACK, () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) port = address.port
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      resolve(good({ url: `http://${LOOPBACK}:${port}${path}`, close }))
    })
  })
}

type Sessions = Map<string, McpGate>

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpGateOptions,
  sessions: Sessions,
): Promise<void> {
  const method = METHODS.find((known) => known === request.method)
  if (method === undefined) return void response.writeHead(405).end()
  const name = request.headers[SESSION]
  const session = typeof name === 'string' ? name : undefined
  const gate = (session === undefined ? undefined : sessions.get(session)) ?? options.newGate()
  if (session !== undefined) remember(sessions, session, gate)
  const body = method === 'POST' ? await bodyOf(request, true) : undefined
  const reply = createHttpReply(response)
  if (method === 'POST' && body === undefined) {
    reply.add(errorMessage(null, CODES.request, `The message has more than ${MESSAGE_MAX_BYTES} bytes.`))
    return reply.end(413)
  }
  const quit = new AbortController()
  response.once('close', () => quit.abort())
  const ask = (bytes?: Buffer) => {
    const headers = { ...passedOn(request), ...options.server.headers }
    const asked = {
      method,
      url: options.server.url,
      headers,
      ...(bytes === undefined ? {} : { body: bytes }),
    }
    return exchange(asked, quit.signal)
  }
  const exchanges = { gate, reply, ask, named: (id: string) => remember(sessions, id, gate) }
  if (body !== undefined) return post(body, exchanges)
  if (method === 'DELETE' && session !== undefined) sessions.delete(session)
  reply.end(await relay(await ask(), exchanges))
}

interface Exchanges {
  readonly gate: McpGate
  readonly reply: GateReply
  ask(bytes?: Buffer): Promise<HttpAnswer>
  named(session: string): void
}

const METHODS = ['POST', 'GET', 'DELETE'] as const
const SESSION = 'mcp-session-id'

function remember(sessions: Sessions, id: string, gate: McpGate): void {
  sessions.delete(id)
  sessions.set(id, gate)
  const [oldest] = sessions.keys()
  if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest)
}

/** Headers about the client and the request. Those about the connection are not forwarded. */
function passedOn({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): readonly [string, string][] =>
    typeof value === 'string' && PASSED.test(name) ? [[name, value]] : [],
  )
  return Object.fromEntries(entries)
}

const PASSED = /^(?:accept|authorization|cookie|last-event-id|user-agent|mcp-.+|x-.+)$/

async function post(body: Buffer, exchanges: Exchanges): Promise<void> {
  const { gate, reply } = exchanges
  const { toServer, toClient } = await gate.fromClient(body, (bytes) => void reply.event(bytes))
  for (const bytes of toClient) reply.add(bytes)
  const statuses = await Promise.all(
    toServer.map(async (bytes) => {
      const answered = await exchanges.ask(bytes)
      const why =
        answered.kind === 'failure' ? answered.why : answered.kind === 'nothing' ? SILENT : undefined
      // The gate knows which requests wait for this answer, and hooks see that they failed.
      for (const id of why === undefined ? [] : idsIn(bytes).asked) {
        await say(exchanges, errorMessage(id, CODES.internal, why ?? SILENT))
      }
      return relay(answered, exchanges)
    }),
  )
  reply.end(statuses.find((status) => status !== undefined))
}

/** The server's answer, checked. The status, if it should be forwarded. */
async function relay(answered: HttpAnswer, exchanges: Exchanges): Promise<number | undefined> {
  if (answered.kind === 'failure') return answered.status ?? BAD_GATEWAY
  const id = answered.response.headers[SESSION]
  if (typeof id === 'string') {
    exchanges.reply.header(SESSION, id)
    exchanges.named(id)
  }
  if (answered.kind === 'message') await say(exchanges, answered.body)
  if (answered.kind === 'events') {
    exchanges.reply.open()
    await hear(answered.response, {
      event: ({ data, id }) => stream(exchanges, data, id),
      retry: (ms) => exchanges.reply.retry(ms),
    })
  }
  return undefined
}

const BAD_GATEWAY = 502
const SILENT = 'The server accepted the request, but did not answer it.'

async function say({ gate, reply }: Exchanges, bytes: Buffer): Promise<void> {
  const { toClient } = await gate.fromServer(bytes)
  for (const each of toClient) reply.add(each)
}

/** An event without a message for the client still moves the position in the stream. */
async function stream({ gate, reply }: Exchanges, data: Buffer, id: string | undefined): Promise<void> {
  const toClient = data.length === 0 ? [] : (await gate.fromServer(data)).toClient
  const events = toClient.length === 0 ? [Buffer.alloc(0)] : toClient
  for (const [index, each] of events.entries())
    reply.event(each, index === events.length - 1 ? id : undefined)
  await reply.room()
}
