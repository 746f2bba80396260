import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Asset, assetFor } from './assets.ts'
import { HEADERS } from './headers.ts'
import { isOtherUser } from './peer.ts'
import { type Answered, type ApiContext, answerApi } from './routes.ts'
import type { LiveStream } from './stream.ts'
import type { BoardTokens } from './tokens.ts'

/**
 * The board's web server: loopback only, one origin, no cookie. Pages and scripts are public, everything else needs the
 * token. Nothing that a request says is ever run or written; approvals are passed on with their signature.
 */
export interface BoardServer {
  readonly port: number
  /** The address of the board, with a code that works once. */
  link(): string
  close(): Promise<void>
}

export interface BoardServerOptions extends ApiContext {
  readonly port: number
  readonly tokens: BoardTokens
  readonly assets: ReadonlyMap<string, Asset>
  readonly stream: LiveStream
  /** The user that may connect. */
  readonly uid: number | undefined
  /** A link was used twice. */
  onUsedTwice(): void
}

const BODY_MAX_BYTES = 256 * 1024

export async function openBoardServer(options: BoardServerOptions): Promise<BoardServer> {
  const server = createServer({ maxHeaderSize: 16 * 1024 }, (request, response) => {
    respond(request, response, portOf(server), options).catch(() =>
      refuse(response, 500, 'This did not work.'),
    )
  })
  server.requestTimeout = 30_000
  server.on('connection', (socket) => {
    if (isOtherUser(socket, options.uid)) socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port: options.port }, resolve)
  })
  const port = portOf(server)
  return {
    port,
    link: () => `http://127.0.0.1:${port}/#open=${options.tokens.issue()}`,
    close: () =>
      new Promise((resolve) => {
        options.stream.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  options: BoardServerOptions,
): Promise<void> {
  const wrong = misdirected(request, port)
  if (wrong !== undefined) return refuse(response, wrong.status, wrong.why)
  const url = new URL(request.url ?? '/', `http://127.0.0.1:${port}`)
  if (!url.pathname.startsWith('/api/')) return sendAsset(request, response, url.pathname, options.assets)
  const isRead = request.method === 'GET'
  if (!isRead && request.method !== 'POST') return refuse(response, 405, 'Only GET and POST are answered.')
  const body = isRead ? undefined : await readJson(request)
  if (body instanceof Error) return refuse(response, 400, body.message)
  if (url.pathname === '/api/open') return open(response, body, options)
  if (!options.tokens.accepts(tokenOf(request))) {
    return refuse(response, 401, 'Open the board from the terminal that runs `holdpoint ui`.')
  }
  if (url.pathname === '/api/live' && isRead) return options.stream.add(request, response)
  sendAnswer(response, await answerApi(url, body, options))
}

/** Another site, or a page behind another name of this machine, must not reach the board through the browser. */
function misdirected(
  { headers }: IncomingMessage,
  port: number,
): { readonly status: number; readonly why: string } | undefined {
  const own = `127.0.0.1:${port}`
  if (headers.host !== own) return { status: 421, why: `This server only answers to http://${own}.` }
  const { origin } = headers
  if (origin !== undefined && origin !== `http://${own}`) {
    return { status: 403, why: 'Another page must not ask the board.' }
  }
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return { status: 403, why: 'Another page must not ask the board.' }
  }
  return undefined
}

function open(response: ServerResponse, body: unknown, { tokens, onUsedTwice }: BoardServerOptions): void {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  const token = typeof code === 'string' ? tokens.redeem(code) : 'unknown'
  if (token === 'used') onUsedTwice()
  const isRefused = token === 'used' || token === 'unknown'
  if (isRefused) refuse(response, 401, LINK_OVER)
  else sendAnswer(response, { status: 200, value: { token } })
}

const LINK_OVER = 'This link does not work any more. Press Enter in the terminal for a new one.'

function tokenOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer ([\w-]{10,100})$/.exec(headers.authorization ?? '')?.[1]
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return new Error('The body must be JSON.')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_MAX_BYTES) return new Error(`The body is larger than ${BODY_MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return new Error('The body is not JSON.')
  }
}

/** Every path that is not a file is a page: the browser's part shows it. */
function sendAsset(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  assets: ReadonlyMap<string, Asset>,
): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const asset = isRead ? assetFor(assets, path) : undefined
  if (asset === undefined) {
    refuse(response, isRead ? 404 : 405, isRead ? 'There is no such file.' : 'Only GET is answered.')
    return
  }
  response.writeHead(200, { ...HEADERS, 'content-type': asset.type, 'content-length': asset.bytes.length })
  response.end(request.method === 'HEAD' ? undefined : asset.bytes)
}

function sendAnswer(response: ServerResponse, { status, value }: Answered): void {
  const text = JSON.stringify(value)
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json; charset=utf-8' })
  response.end(text)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy()
  sendAnswer(response, { status, value: { message } })
}
