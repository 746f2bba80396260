import type { Agent, IncomingMessage, RequestOptions } from 'node:http'
import type { Failure } from '../../core/decision.ts'
import { VERSION } from '../../core/version.ts'

export interface PostCall {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

export interface Response {
  readonly status: number
  /** `identity` unless the server compressed its answer. */
  readonly encoding: string
  readonly location: string | undefined
  readonly text: string
}

/** More than any answer needs. A longer response is aborted. */
const BODY_MAX_BYTES = 1024 * 1024

/**
 * One plain POST: no redirects, no proxy from the environment, no decompression, certificates always checked. It uses
 * Node's own client instead of `fetch`, which takes five times as long to load. Never rejects; at its signal the
 * connection is closed.
 */
export async function post(call: PostCall): Promise<Response | Failure> {
  const client = call.url.protocol === 'https:' ? await secureClient() : await plainClient()
  const first = await attempt(call, client)
  // The server may have closed a kept connection just before we used it; that is not a failure of the server.
  const outcome = 'stale' in first ? await attempt(call, client) : first
  return 'stale' in outcome ? outcome.stale : outcome
}

interface Client {
  readonly request: typeof import('node:http').request
  readonly agent: Agent
}

const KEEP = { keepAlive: true, maxFreeSockets: 4, timeout: 30_000 } as const
let plain: Client | undefined
let secure: Client | undefined

async function plainClient(): Promise<Client> {
  const { Agent, request } = await import('node:http')
  plain ??= { request, agent: new Agent(KEEP) }
  return plain
}

async function secureClient(): Promise<Client> {
  const { Agent, request } = await import('node:https')
  // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 in an environment would disable it.
  secure ??= { request, agent: new Agent({ ...KEEP, rejectUnauthorized: true }) }
  return secure
}

function attempt(call: PostCall, client: Client): Promise<Response | Failure | { readonly stale: Failure }> {
  return new Promise((resolve) => {
    const body = Buffer.from(call.body)
    let request: ReturnType<Client['request']> | undefined
    const finish = (outcome: Response | Failure | { readonly stale: Failure }) => {
      call.signal.removeEventListener('abort', stop)
      resolve(outcome)
    }
    const fail = (failure: Failure) => {
      finish(failure)
      request?.destroy()
    }
    const stop = () => fail({ failure: 'timeout', message: 'gave no whole answer in time' })
    if (call.signal.aborted) return stop()
    try {
      request = client.request(call.url, optionsFor(call, client.agent, body.length))
    } catch (error) {
      // Node's message contains the value of the header, which may be a secret.
      return finish({ failure: 'crash', message: `cannot be called: ${codeOf(error)}` })
    }
    request.on('error', (error) => {
      const failure: Failure = { failure: 'crash', message: `could not be reached: ${codeOf(error)}` }
      const isReset = 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      finish(isReset && request?.reusedSocket === true ? { stale: failure } : failure)
    })
    request.on('response', (response) => collect(response, finish, fail))
    call.signal.addEventListener('abort', stop, { once: true })
    request.end(body)
  })
}

function optionsFor({ headers }: PostCall, agent: Agent, sizeBytes: number): RequestOptions {
  return {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': `holdpoint/${VERSION}`,
      ...headers,
      'accept-encoding': 'identity',
      'content-length': sizeBytes,
    },
  }
}

function collect(
  response: IncomingMessage,
  finish: (outcome: Response | Failure) => void,
  fail: (failure: Failure) => void,
): void {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  response.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length
    if (sizeBytes <= BODY_MAX_BYTES) chunks.push(chunk)
    else fail({ failure: 'invalidOutput', message: `sent more than ${BODY_MAX_BYTES} bytes` })
  })
  response.on('error', (error) =>
    fail({ failure: 'crash', message: `broke off its answer: ${codeOf(error)}` }),
  )
  response.on('end', () => {
    const { statusCode = 0, headers } = response
    finish({
      status: statusCode,
      encoding: (headers['content-encoding'] ?? 'identity').toLowerCase(),
      location: headers.location,
      text: Buffer.concat(chunks).toString('utf8'),
    })
  })
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
