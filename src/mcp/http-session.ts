import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../json.ts'
import { type Answered, type Exchange, exchange, hear } from './http-exchange.ts'
import { type Id, readMessages } from './message.ts'

export interface HttpServer {
  readonly url: string
  /** For every request, such as a token. */
  readonly headers: Readonly<Record<string, string>>
}

/** What one client says to a server over HTTP: every request carries what the server said at the beginning. */
export interface HttpSession {
  ask(method: Exchange['method'], more?: Readonly<Record<string, string>>, body?: Buffer): Promise<Answered>
  /** Reads a stream, and asks for the rest of it where it breaks. Says why an answer is still missing, if one is. */
  follow(answered: Answered, sink: StreamSink): Promise<string | undefined>
  /** The server has given the session a name. */
  isNamed(): boolean
}

export interface StreamSink {
  take(data: Buffer): void | Promise<void>
  /** Everything that was asked is answered. A stream that nobody asked for never is. */
  isDone(): boolean
  /** The stream may be asked for again from its beginning. */
  readonly isStanding: boolean
}

/** How often a lost stream is asked for again before it is given up, and how long between. */
const RESUMES_MAX = 3
const RESUME_MS = 1_000
const RESUME_MS_MAX = 30_000

export function openHttpSession(server: HttpServer, signal: AbortSignal): HttpSession {
  const said: Record<string, string> = {}
  const ask: HttpSession['ask'] = async (method, more = {}, body) => {
    const headers = { ...server.headers, ...said, ...more }
    const asked = { method, url: server.url, headers, ...(body === undefined ? {} : { body }) }
    const answered = await exchange(asked, signal)
    const id = answered.is === 'failure' ? undefined : answered.response.headers[SESSION]
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
      // Servers and what stands before them end quiet streams; one that can be had again is not lost.
      if (sink.isStanding && answered.is === 'events') tries = 0
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

async function heard(answered: Answered, on: Parameters<typeof hear>[1]): Promise<string> {
  if (answered.is === 'failure') return answered.why
  if (answered.is === 'message') await on.event({ data: answered.body })
  const why = answered.is === 'events' ? await hear(answered.response, on) : undefined
  return why ?? 'The server ended its answer without one.'
}

/** Both sides agree on a version in the answer to the first request; later requests have to name it. */
function rememberVersion(said: Record<string, string>, data: Buffer): void {
  if (said[VERSION] !== undefined) return
  const read = readMessages(data)
  for (const { json } of read !== undefined && 'messages' in read ? read.messages : []) {
    const version = isObject(json.result) ? json.result.protocolVersion : undefined
    if (typeof version === 'string' && /^[\w.-]{1,40}$/.test(version)) said[VERSION] = version
  }
}

/** The requests in some bytes, and the answers. */
export function idsIn(bytes: Buffer): { readonly asked: readonly Id[]; readonly answered: readonly Id[] } {
  const read = readMessages(bytes)
  const messages = read !== undefined && 'messages' in read ? read.messages : []
  return {
    asked: messages.flatMap((message) => (message.is === 'request' ? [message.id] : [])),
    answered: messages.flatMap((message) =>
      message.is === 'response' && message.id !== null ? [message.id] : [],
    ),
  }
}
