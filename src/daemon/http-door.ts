import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { HttpReply } from '../hosts/host.ts'
import { PAYLOAD_MAX_BYTES } from '../hosts/host.ts'
import { type HttpSettings, LOOPBACK } from './http-settings.ts'
import { encodeRequest } from './protocol.ts'

export interface HttpDoor {
  readonly port: number
  close(): void
}

export interface HttpVisitors {
  /** The reply for a request of this host at this event; undefined when there is none to give. */
  answer(frame: Buffer, host: string, event: string | undefined): Promise<HttpReply | undefined>
}

/**
 * Opens the HTTP door on loopback. Whoever does not know the secret gets nothing, not even a status: the connection
 * ends. `taken` when another program has the port, or the system does not give it to us.
 */
export function openHttpDoor(
  settings: HttpSettings,
  home: string,
  visitors: HttpVisitors,
): Promise<HttpDoor | 'taken'> {
  return new Promise((resolve) => {
    // A request without a host is ours to hang up on: Node would say what is wrong with it.
    const server = createServer({ requireHostHeader: false }, (request, response) => {
      receive(request, response, settings, home, visitors).catch(() => request.socket.destroy())
    })
    server.keepAliveTimeout = KEEP_ALIVE_MS
    server.on('checkContinue', (request, response) => server.emit('request', request, response))
    server.on('checkExpectation', (request) => request.socket.destroy())
    server.on('clientError', (_error, socket) => socket.destroy())
    server.on('error', () => resolve('taken'))
    server.listen({ port: settings.port, host: LOOPBACK, backlog: 1_024 }, () => {
      resolve({
        port: settings.port,
        close: () => {
          server.close()
          server.closeIdleConnections()
        },
      })
    })
  })
}

/** An agent asks many times a minute; opening a connection each time would cost more than the answer. */
const KEEP_ALIVE_MS = 60_000

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  settings: HttpSettings,
  home: string,
  visitors: HttpVisitors,
): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${LOOPBACK}`)
  // A page in a browser that was told our address calls itself by another name.
  if (request.headers.host !== `${LOOPBACK}:${settings.port}`) return void request.socket.destroy()
  if (request.method === 'GET' && url.pathname === '/alive') {
    response.end(proofOf(settings.secret, url.searchParams.get('nonce') ?? ''))
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
  const reply = await visitors.answer(frame, host, url.searchParams.get('event') ?? undefined)
  if (reply === undefined) return void request.socket.destroy()
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
}

/** Shows that the one who answers knows the secret, without saying it. */
export function proofOf(secret: string, nonce: string): string {
  return createHmac('sha256', secret).update(`alive:${nonce}`).digest('hex')
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

/** What is too long is read to its end and dropped, so that it can be called so: who still sends does not listen. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (sizeBytes <= PAYLOAD_MAX_BYTES) chunks.push(chunk)
    sizeBytes += chunk.length
  }
  return Buffer.concat(chunks).subarray(0, PAYLOAD_MAX_BYTES + 1)
}
