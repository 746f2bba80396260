import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { createEventReader, type StreamEvent } from './events.ts'
import { MESSAGE_MAX_BYTES } from './message.ts'

/**
 * One exchange with a server over streamable HTTP. Redirects are not followed: they would bypass the gate.
 */
export interface Exchange {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export type HttpAnswer =
  /** Accepted, without a body. */
  | { readonly kind: 'nothing'; readonly response: IncomingMessage }
  | { readonly kind: 'message'; readonly response: IncomingMessage; readonly body: Buffer }
  | { readonly kind: 'events'; readonly response: IncomingMessage }
  /** Why there is no answer; the status, if there is one. */
  | { readonly kind: 'failure'; readonly why: string; readonly status?: number }

export async function exchange(ask: Exchange, signal: AbortSignal): Promise<HttpAnswer> {
  try {
    const response = await send(ask, signal)
    return await read(response, ask.method)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { kind: 'failure', why: `The server cannot be reached: ${why}.` }
  }
}

function send({ method, url, headers, body }: Exchange, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.startsWith('https:') ? overHttps : overHttp
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method,
        signal,
        headers: {
          ...headers,
          'accept-encoding': 'identity',
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(body.length) }),
        },
      },
      resolve,
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

async function read(response: IncomingMessage, method: Exchange['method']): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = response
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  const drop = (why: string): HttpAnswer => {
    response.destroy()
    return { kind: 'failure', why, status }
  }
  if (status === 202 || status === 204 || (status === 200 && method === 'DELETE')) {
    response.resume()
    return { kind: 'nothing', response }
  }
  if (status !== 200) return drop(`The server answered with status ${status}.`)
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return drop('The answer of the server is compressed.')
  if (type === 'text/event-stream') return { kind: 'events', response }
  if (type !== 'application/json') return drop(`The server answered with ${type || 'no content type'}.`)
  const body = await bodyOf(response)
  return body === undefined ? drop(TOO_LONG) : { kind: 'message', response, body }
}

const TOO_LONG = `The answer of the server has more than ${MESSAGE_MAX_BYTES} bytes.`

/**
 * Undefined: too long. `toEnd`: read the rest anyway, because a client that is still sending does not read.
 */
export async function bodyOf(message: IncomingMessage, toEnd = false): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes <= MESSAGE_MAX_BYTES) chunks.push(chunk)
    else if (!toEnd) return undefined
  }
  return sizeBytes > MESSAGE_MAX_BYTES ? undefined : Buffer.concat(chunks)
}

export interface Heard {
  /** Handled one after another; the stream waits meanwhile. */
  event(event: StreamEvent): void | Promise<void>
  retry?(ms: number): void
}

/** Reads a stream to its end. Returns why it ended early, if it did. */
export async function hear(response: IncomingMessage, { event, retry }: Heard): Promise<string | undefined> {
  const events: StreamEvent[] = []
  let isTooLong = false
  const reader = createEventReader({
    event: (next) => events.push(next),
    retry: (ms) => retry?.(ms),
    tooLong: () => {
      isTooLong = true
    },
  })
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      reader.push(chunk)
      for (const next of events.splice(0)) await event(next)
      if (isTooLong) return TOO_LONG
    }
    return undefined
  } catch (error) {
    return `The stream of the server broke: ${error instanceof Error ? error.message : String(error)}.`
  } finally {
    response.destroy()
  }
}
