import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BOARD_STYLE } from './html.ts'
import { FLEET_PAGES, type FleetReader } from './pages.ts'

export interface FleetBoardOptions {
  readonly fleet: FleetReader
  readonly port: number
  /** Only who knows it sees a page: other users of the machine can reach the port, too. */
  readonly secret: string
  now(): Date
  log(line: string): void
}

export interface FleetBoard {
  readonly url: string
  close(): Promise<void>
}

const HEADERS = {
  'cache-control': 'no-store',
  // No page has a script, so no text of a machine can become one.
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** The board on loopback. It only reads. */
export async function openFleetBoard(options: FleetBoardOptions): Promise<FleetBoard> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch((error: unknown) => {
      options.log(error instanceof Error ? error.message : String(error))
      send(response, 503, 'text/plain', 'The database cannot be asked now. The terminal says why.\n')
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/${options.secret}/machines`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { fleet, secret, now }: FleetBoardOptions,
): Promise<void> {
  // A page elsewhere that points its own name to this address does not know the secret, but must not even ask.
  const isHere = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.headers.host ?? '')
  const url = new URL(request.url ?? '/', 'http://board')
  const [, key, name = '', ...more] = url.pathname.split('/')
  const isKnown = isHere && key === secret && more.length === 0 && request.method === 'GET'
  if (isKnown && name === 'style.css') return send(response, 200, 'text/css', BOARD_STYLE)
  const show = isKnown && Object.hasOwn(FLEET_PAGES, name) ? FLEET_PAGES[name] : undefined
  if (show === undefined) return send(response, 404, 'text/plain', 'There is no such page.\n')
  send(response, 200, 'text/html', await show({ fleet, parameters: url.searchParams, now: now() }))
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(text)
}
