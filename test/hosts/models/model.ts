import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A model on loopback that follows a script. It keeps no state: a mark in the first user message names the conversation,
 * and the step is the number of answers of the model in it. So retries, sub-agents and programs that request the same
 * turn twice need no special handling.
 */
export interface ModelServer {
  readonly url: string
  /** All requested turns, in order. */
  readonly requests: readonly ModelRequest[]
  /** Everything else that arrived: another path, or a request to another machine. */
  readonly unexpected: readonly string[]
  /** Follows another script from now on, and forgets earlier requests. */
  play(script: Script): void
  close(): Promise<void>
}

export interface ModelRequest {
  /** Undefined: a side request of the program (a title, a summary), not a turn of a scripted conversation. */
  readonly conversation: string | undefined
  readonly step: number
  /** What the model got since its last answer. */
  readonly told: string
  /** The names of the tools that it may use. */
  readonly tools: readonly string[]
}

export interface ModelTurn {
  readonly text?: string
  readonly uses?: readonly ToolUse[]
}

export interface ToolUse {
  readonly name: string
  /** Text, for a tool with free-form input. */
  readonly input: Readonly<Record<string, unknown>> | string
  readonly namespace?: string
}

/** How one vendor's API writes requests and turns. */
export interface Wire {
  /** Undefined: not a request for a turn. */
  read(path: string, body: unknown): ModelRequest | undefined
  /** `id` is unique in this server. */
  write(response: ServerResponse, turn: ModelTurn, body: unknown, id: number): void
  /** Other paths that a program may request, and their answers; and machines that it may try to reach, in vain. */
  readonly aside: Readonly<Record<string, unknown>>
}

export type Script = (request: ModelRequest) => ModelTurn | undefined

export async function startModel(wire: Wire): Promise<ModelServer> {
  let script: Script = () => undefined
  let turns = 0
  const requests: ModelRequest[] = []
  const unexpected: string[] = []
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
    if (known === undefined) unexpected.push(`${request.method} ${request.url}`)
    response.writeHead(known === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(known ?? { error: { message: 'not here' } }))
  }
  const server = createServer((request, response) => void answer(request, response))
  // The programs use this server as their proxy, so a connection to another machine is noticed here.
  server.on('connect', (request, socket) => {
    const name = `CONNECT ${request.url}`
    if (!Object.hasOwn(wire.aside, name)) unexpected.push(name)
    // Some programs reset the connection when they are refused.
    socket.on('error', () => {})
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    unexpected,
    play: (next) => {
      script = next
      requests.length = 0
      unexpected.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The mark in a prompt that names a conversation. */
export function markOf(conversation: string): string {
  return `<<${conversation}>>`
}

export function conversationIn(text: string): string | undefined {
  return /<<([\w-]+)>>/.exec(text)?.[1]
}

/** The text of a content in either vendor's form: a string, blocks with text, or blocks with nested content. */
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
