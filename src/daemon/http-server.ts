import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpReply } from '../core/host.ts'
import { PAYLOAD_MAX_BYTES } from '../core/host.ts'
import { type HttpSettings, LOOPBACK } from './http-settings.ts'
import { encodeRequest } from './protocol.ts'

export interface HttpServer {
  readonly port: number
  /** Answers a connection that another process accepted. */
  take(connection: Socket): void
  close(): void
}

export interface HttpHandler {
  /** The reply for a request of this host at this event; undefined if there is none. */
  answer(frame: Buffer, host: string, event: string | undefined): Promise<HttpReply | undefined>
}

/**
 * Opens the HTTP port on loopback. A client without the secret gets nothing, not even a status: its connection is
 * closed. `taken` if another program has the port, or if the system does not allow it.
 */
export function openHttpServer(
  settings: HttpSettings,
  home: string,
  handler: HttpHandler,
): Promise<HttpServer | 'taken'> {
  return new Promise((resolve) => {
    const server = createAnswering(settings, home, handler)
    server.on('error', () => resolve('taken'))
    server.listen({ port: settings.port, host: LOOPBACK, backlog: 1_024 }, () => {
      resolve({ port: settings.port, take: takeInto(server), close: () => closeServer(server) })
    })
  })
}

/** The same for a port that another process, the supervisor, holds: connections are handed over one by one. */
export function serveHttp(settings: HttpSettings, home: string, handler: HttpHandler): HttpServer {
  const server = createAnswering(settings, home, handler)
  return { port: settings.port, take: takeInto(server), close: () => closeServer(server) }
}

/** A connection that another process accepted has been paused until now. */
function takeInto(server: Server): (connection: Socket) => void {
  return (connection) => {
    server.emit('connection', connection)
    connection.resume()
  }
}

function createAnswering(settings: HttpSettings, home: string, handler: HttpHandler): Server {
  // Without a host header the connection is closed below. Node itself would send an error reply.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    receive(request, response, settings, home, handler).catch(() => request.socket.destroy())
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  server.on('checkExpectation', (request) => request.socket.destroy())
  server.on('clientError', (_error, socket) => socket.destroy())
  return server
}

function closeServer(server: Server): void {
  server.close()
  server.closeIdleConnections()
}

/** An agent asks many times a minute; opening a connection each time would cost more than the answer. */
const KEEP_ALIVE_MS = 60_000

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  settings: HttpSettings,
  home: string,
  handler: HttpHandler,
): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${LOOPBACK}`)
  // A web page whose domain points to this address sends another host name.
  if (request.headers.host !== `${LOOPBACK}:${settings.port}`) return void request.socket.destroy()
  if (request.method === 'GET' && url.pathname === '/alive') {
    response.end(proofOf(settings, url.searchParams.get('nonce') ?? ''))
    return
  }
  const host = /^\/hook\/([a-z-]{1,40})$/.exec(url.pathname)?.[1]
  if (request.method !== 'POST' || host === undefined || !knowsSecret(request, settings.secret)) {
    return void request.socket.destroy()
  }
  if (request.headers.expect !== undefined) response.writeContinue()
  const input = await bodyOf(request)
  const argv = [host, '--home', home, ...optionsIn(url)]
  const frame = encodeRequest({ argv, cwd: '/', env: settings.env, input, elapsedMs: 0 })
  const reply = await handler.answer(frame, host, url.searchParams.get('event') ?? undefined)
  if (reply === undefined) return void request.socket.destroy()
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
}

/**
 * Proves that the server knows a key that no request contains. A program that once had the port may have seen the
 * secret of the requests, but it cannot give this proof.
 */
export function proofOf({ proofKey, port }: HttpSettings, nonce: string): string {
  return createHmac('sha256', proofKey).update(`alive:${port}:${nonce}`).digest('hex')
}

function knowsSecret(request: IncomingMessage, secret: string): boolean {
  const [said, known] = [request.headers.authorization ?? '', `Bearer ${secret}`].map((text) =>
    createHmac('sha256', secret).update(text).digest(),
  )
  return said !== undefined && known !== undefined && timingSafeEqual(said, known)
}

function optionsIn(url: URL): readonly string[] {
  return ['event', 'on-failure', 'deadline-ms'].flatMap((name) => {
    const value = url.searchParams.get(name)
    return value === null ? [] : [`--${name}`, value]
  })
}

/**
 * A body that is too long is read to its end and dropped, because a client that is still sending does not read
 * an error.
 */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (sizeBytes <= PAYLOAD_MAX_BYTES) chunks.push(chunk)
    sizeBytes += chunk.length
  }
  return Buffer.concat(chunks).subarray(0, PAYLOAD_MAX_BYTES + 1)
}
