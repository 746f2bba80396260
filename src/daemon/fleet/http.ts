import { readFileSync } from 'node:fs'
import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as connectTls, rootCertificates } from 'node:tls'
import { bad, good, type Result } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'

/**
 * One request to a server of the fleet. It follows no redirects, reads no environment, decompresses nothing, and has a
 * limit for time and size, because the server may be hostile.
 */
export interface FleetRequest {
  readonly url: URL
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  readonly maxBytes: number
  readonly timeoutMs: number
}

export interface FleetResponse {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** From the enrollment. */
export interface NetworkSettings {
  readonly proxy?: string
  readonly ca?: string
}

export interface FleetHttp {
  send(request: FleetRequest): Promise<Result<FleetResponse>>
  close(): void
}

const KEEP = { keepAlive: true, maxSockets: 4, maxFreeSockets: 2, timeout: 15_000 } as const

export function createFleetHttp({ proxy, ca }: NetworkSettings = {}): FleetHttp {
  const plain = new PlainAgent(KEEP)
  let secure: SecureAgent | undefined
  const secureAgent = () => {
    // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 in an environment would disable it.
    secure ??= new SecureAgent({ ...KEEP, rejectUnauthorized: true, ...certificates(ca) })
    return secure
  }
  const send = async (asked: FleetRequest): Promise<Result<FleetResponse>> => {
    const isSecure = asked.url.protocol === 'https:'
    try {
      if (proxy === undefined) {
        return await attempt(asked, (options) =>
          isSecure
            ? secureRequest(asked.url, { ...options, agent: secureAgent() })
            : plainRequest(asked.url, { ...options, agent: plain }),
        )
      }
      if (!isSecure)
        return await attempt(asked, (options) => throughProxy(new URL(proxy), asked.url, options))
      const tunnel = await openTunnel(new URL(proxy), asked.url, asked.timeoutMs)
      if (!tunnel.ok) return tunnel
      const { hostname } = asked.url
      const socket = connectTls({ socket: tunnel.value, servername: hostname, ...certificates(ca) })
      // The request says what went wrong. An error after that has no listener, and would end the process.
      socket.on('error', () => {})
      return await attempt(asked, (options) =>
        secureRequest(asked.url, { ...options, agent: false, createConnection: () => socket }),
      )
    } catch (error) {
      return unreachable(asked.url, messageOf(error))
    }
  }
  return {
    send,
    close() {
      plain.destroy()
      secure?.destroy()
    },
  }
}

/** A company's own certificates are added to those of Node.js. Throws if the file cannot be read. */
function certificates(file: string | undefined): { ca?: string[] } {
  return file === undefined ? {} : { ca: [...rootCertificates, readFileSync(file, 'utf8')] }
}

interface RequestOptions {
  readonly method: string
  readonly headers: Record<string, string | number>
}

type Start = (options: RequestOptions) => ClientRequest

async function attempt(asked: FleetRequest, start: Start): Promise<Result<FleetResponse>> {
  return new Promise((resolve) => {
    const { method = 'GET', headers, body } = asked
    const request = start({
      method,
      headers: {
        'user-agent': `holdpoint/${VERSION}`,
        ...headers,
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-length': body.length }),
      },
    })
    const fail = (why: string) => {
      clearTimeout(timer)
      resolve(unreachable(asked.url, why))
      request.destroy()
    }
    const timer = setTimeout(
      () => fail(`no whole answer within ${asked.timeoutMs / 1000} s`),
      asked.timeoutMs,
    )
    request.on('error', (error) => fail(messageOf(error)))
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let sizeBytes = 0
      response.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length
        if (sizeBytes <= asked.maxBytes) chunks.push(chunk)
        else fail(`the answer has more than ${asked.maxBytes} bytes`)
      })
      response.on('error', (error) => fail(messageOf(error)))
      response.on('aborted', () => fail('the answer broke off'))
      response.on('end', () => {
        clearTimeout(timer)
        const { statusCode = 0, headers: received } = response
        resolve(good({ status: statusCode, headers: received, body: Buffer.concat(chunks) }))
      })
    })
    request.end(body)
  })
}

function throughProxy(proxy: URL, url: URL, { method, headers }: RequestOptions): ClientRequest {
  return plainRequest({
    host: proxy.hostname,
    port: proxy.port || 80,
    method,
    path: url.href,
    headers: { ...headers, host: url.host },
    agent: false,
  })
}

/** The connection to the server through the proxy, before TLS: the proxy sees the name of the server only. */
function openTunnel(proxy: URL, url: URL, timeoutMs: number): Promise<Result<Socket>> {
  return new Promise((resolve) => {
    const path = `${url.hostname}:${url.port || 443}`
    const start = proxy.protocol === 'https:' ? secureRequest : plainRequest
    const request = start({
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path,
      headers: { host: path },
      agent: false,
    })
    const fail = (why: string) => {
      clearTimeout(timer)
      resolve(unreachable(url, `the proxy ${proxy.host}: ${why}`))
      request.destroy()
    }
    const timer = setTimeout(() => fail('it does not answer'), timeoutMs)
    request.on('error', (error) => fail(messageOf(error)))
    request.on('response', (response) => fail(`it answers with status ${response.statusCode}`))
    request.on('connect', (response, socket: Socket) => {
      clearTimeout(timer)
      if (response.statusCode === 200) return resolve(good(socket))
      socket.destroy()
      fail(`it answers with status ${response.statusCode}`)
    })
    request.end()
  })
}

/** Without query and password: the text is shown and stored. */
function unreachable(url: URL, why: string): { ok: false; problem: ReturnType<typeof bad>['problem'] } {
  return bad('FLEET_UNREACHABLE', `${url.origin}${url.pathname} cannot be reached: ${why}.`)
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  // Several addresses were tried; the error itself has no text then.
  return error.message || ('code' in error ? String(error.code) : error.name)
}
