import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../../core/json.ts'
import { type Exchange, exchange, type HttpAnswer, hear } from './http-exchange.ts'
import { type Id, readMessages } from './message.ts'

export interface McpHttpServer {
  readonly url: string
  /** For every request, such as a token. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The session of one client with a server over HTTP: every request has the headers that the server set at the
 * start.
 */
export interface HttpSession {
  ask(method: Exchange['method'], more?: Readonly<Record<string, string>>, body?: Buffer): Promise<HttpAnswer>
  /**
   * Reads a stream, and requests the rest if the connection breaks. Returns why an answer is still missing,
   * if one is.
   */
  follow(answered: HttpAnswer, sink: StreamSink): Promise<string | undefined>
  /** The server has set a session id. */
  isNamed(): boolean
}

export interface StreamSink {
  take(data: Buffer): void | Promise<void>
  /** All requests have an answer. A stream without requests never ends this way. */
  isDone(): boolean
  /** The stream can be requested again from its beginning. */
  readonly isStanding: boolean
}

/** How often a lost stream is requested again before it is given up, and the wait between tries. */
const RESUMES_MAX = 3
const RESUME_MS = 1_000
const RESUME_MS_MAX = 30_000

export function openHttpSession(server: McpHttpServer, signal: AbortSignal): HttpSession {
  const said: Record<string, string> = {}
  const ask: HttpSession['ask'] = async (method, more = {}, body) => {
    const headers = { ...server.headers, ...said, ...more }
    const asked = { method, url: server.url, headers, ...(body === undefined ? {} : { body }) }
    const answered = await exchange(asked, signal)
    const id = answered.kind === 'failure' ? undefined : answered.response.headers[SESSION]
    if (typeof id === 'string') said[SESSION] = id
    return answered
  }
  const follow: HttpSession['follow'] = async (first, sink) => {
    let answered = first
    let from: string | undefined
    let waitMs = RESUME_MS
    for (let tries = 0; ; tries += 1) {
      const why = await heard(answered, {
        event: async ({ data, id }) => {
          from = id ?? from
          tries = 0
          if (data.length === 0) return
          rememberVersion(said, data)
          await sink.take(data)
        },
        retry: (ms) => {
          waitMs = Math.min(ms, RESUME_MS_MAX)
        },
      })
      if (sink.isDone() || signal.aborted) return undefined
      // Servers and proxies end quiet streams; one that can be resumed is not lost.
      if (sink.isStanding && answered.kind === 'events') tries = 0
      const canResume = from !== undefined || sink.isStanding
      if (!canResume || tries >= RESUMES_MAX) return why
      await sleep(waitMs, undefined, { signal }).catch(() => {})
      answered = await ask('GET', { ...STREAM, ...(from === undefined ? {} : { 'last-event-id': from }) })
    }
  }
  return { ask, follow, isNamed: () => said[SESSION] !== undefined }
}

const SESSION = 'mcp-session-id'
const VERSION = 'mcp-protocol-version'
export const STREAM = { accept: 'text/event-stream' }

async function heard(answered: HttpAnswer, on: Parameters<typeof hear>[1]): Promise<string> {
  if (answered.kind === 'failure') return answered.why
  if (answered.kind === 'message') await on.event({ data: answered.body })
  const why = answered.kind === 'events' ? await hear(answered.response, on) : undefined
  return why ?? 'The server ended the stream without an answer.'
}

/** The answer to the first request contains the protocol version; later requests must name it. */
function rememberVersion(said: Record<string, string>, data: Buffer): void {
  if (said[VERSION] !== undefined) return
  const read = readMessages(data)
  for (const { json } of read !== undefined && 'messages' in read ? read.messages : []) {
    const version = isObject(json.result) ? json.result.protocolVersion : undefined
    if (typeof version === 'string' && /^[\w.-]{1,40}$/.test(version)) said[VERSION] = version
  }
}

/** The requests in a message, and the answers. */
export function idsIn(bytes: Buffer): { readonly asked: readonly Id[]; readonly answered: readonly Id[] } {
  const read = readMessages(bytes)
  const messages = read !== undefined && 'messages' in read ? read.messages : []
  return {
    asked: messages.flatMap((message) => (message.kind === 'request' ? [message.id] : [])),
    answered: messages.flatMap((message) =>
      message.kind === 'response' && message.id !== null ? [message.id] : [],
    ),
  }
}
