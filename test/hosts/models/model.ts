import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A model that follows a script, on loopback. It keeps no state: the first user message names the conversation by
 * a mark, and the step is the number of times the model has already spoken in it. So retries, sub-agents and
 * programs that ask for the same turn twice need no care.
 */
export interface ModelServer {
  readonly url: string
  /** Every turn that was asked for, in order. */
  readonly requests: readonly ModelRequest[]
  /** Everything else that arrived here: another path, or a request to another machine. */
  readonly strangers: readonly string[]
  /** Follows another script from now on, and forgets what was asked before. */
  play(script: Script): void
  close(): Promise<void>
}

export interface ModelRequest {
  /** Undefined: a side request of the program (a title, a summary), not a turn of a scripted conversation. */
  readonly conversation: string | undefined
  readonly step: number
  /** What the model is told since it last spoke. */
  readonly told: string
  /** The names of the tools it may use. */
  readonly tools: readonly string[]
}

export interface ModelTurn {
  readonly text?: string
  readonly uses?: readonly ToolUse[]
}

export interface ToolUse {
  readonly name: string
  /** Text for a tool of free form. */
  readonly input: Readonly<Record<string, unknown>> | string
  readonly namespace?: string
}

/** How one vendor's interface spells requests and turns. */
export interface Wire {
  /** Undefined: not a request for a turn. */
  read(path: string, body: unknown): ModelRequest | undefined
  /** `id` is unique in this server. */
  write(response: ServerResponse, turn: ModelTurn, body: unknown, id: number): void
  /** Paths a program may also ask for, and what it gets. */
  readonly aside: Readonly<Record<string, unknown>>
}

export type Script = (request: ModelRequest) => ModelTurn | undefined

export async function startModel(wire: Wire): Promise<ModelServer> {
  let script: Script = () => undefined
  let turns = 0
  const requests: ModelRequest[] = []
  const strangers: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const body = parse(await textOf(request))
    const asked = request.method === 'POST' ? wire.read(path, body) : undefined
    if (asked !== undefined) {
      requests.push(asked)
      turns += 1
      wire.write(response, script(asked) ?? { text: 'Done.' }, body, turns)
      return
    }
    const known = wire.aside[path]
    if (known === undefined) strangers.push(`${request.method} ${request.url}`)
    response.writeHead(known === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(known ?? { error: { message: 'not here' } }))
  }
  const server = createServer((request, response) => void answer(request, response))
  // The programs are given this server as their proxy: whoever speaks to another machine is noticed here.
  server.on('connect', (request, socket) => {
    strangers.push(`CONNECT ${request.url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    strangers,
    play: (next) => {
      script = next
      requests.length = 0
      strangers.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The mark that names a conversation, as a prompt carries it. */
export function markOf(conversation: string): string {
  return `<<${conversation}>>`
}

export function conversationIn(text: string): string | undefined {
  return /<<([\w-]+)>>/.exec(text)?.[1]
}

/** The text of a content in either vendor's form: a string, blocks with text, or blocks with content of their own. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textIn).join('\n')
  if (typeof content !== 'object' || content === null) return ''
  const { text, content: inner, output } = content as Record<string, unknown>
  return textIn(text ?? inner ?? output ?? '')
}

export function startEvents(response: ServerResponse): (type: string, data: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  return (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
