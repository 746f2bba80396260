import type { IncomingMessage, ServerResponse } from 'node:http'
import { keyObject, parsePublicKey } from '../../../../src/config/bundle/keys.ts'
import { ERRORS, HoldpointError } from '../../../../src/core/errors.ts'
import { isObject, type JsonObject, textAt } from '../../../../src/core/json.ts'
import { decodePush } from '../../../../src/daemon/fleet/push-format.ts'
import {
  isSignedBy,
  MACHINE_HEADER,
  SIGNATURE_HEADER,
} from '../../../../src/daemon/fleet/request-signature.ts'
import { checkPush } from '../sink/place-push.ts'
import type { FleetQuery, Role, Sink } from '../sink/sink.ts'
import { readBody, unpackBody } from './body.ts'
import { createIngest, type IngestOptions } from './ingest.ts'
import { createMachineKeys } from './machine-keys.ts'

export interface CollectorOptions {
  readonly sink: Sink
  now(): Date
  log(line: string): void
  readonly ingest?: Partial<IngestOptions>
}

/** What a request is answered with. */
interface Answer {
  readonly status: number
  readonly body?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
  /** Lines that are sent as they are found. */
  readonly lines?: AsyncIterable<unknown>
}

export type Collector = (request: IncomingMessage, response: ServerResponse) => void

/** More than this and new requests wait at the machines: memory stays flat, however many of them there are. */
const WAITING_MAX = 400
const RETRY_SECONDS = '5'
const MACHINE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The HTTP side of a collector. It keeps nothing that a restart would lose. */
export function createCollector({ sink, now, log, ingest: options = {} }: CollectorOptions): Collector {
  const keys = createMachineKeys(sink, () => now().getTime())
  const ingest = createIngest(sink, options)
  let reading = 0

  async function signedBody(
    request: IncomingMessage,
    path: string,
  ): Promise<{ machine: string; body: Buffer } | Answer> {
    const [machine, signature] = [header(request, MACHINE_HEADER), header(request, SIGNATURE_HEADER)]
    if (!MACHINE.test(machine) || signature === '')
      return refusal(401, 'The request is not signed by a machine.')
    const key = await keys.keyOf(machine)
    if (key === undefined) return refusal(401, 'This machine is not registered.')
    if (key === 'revoked') return refusal(403, 'The key of this machine was revoked.')
    const read = await readBody(request)
    if (read.kind !== 'read') return tooLarge()
    if (!isSignedBy({ path, machine, signature, body: read.body }, key)) {
      return refusal(401, 'The signature does not belong to this machine and this request.')
    }
    return { machine, body: read.body }
  }

  async function push(request: IncomingMessage): Promise<Answer> {
    if (ingest.waiting + reading > WAITING_MAX) return unavailable('The collector is busy.')
    reading += 1
    try {
      const signed = await signedBody(request, '/v1/push')
      if ('status' in signed) return signed
      const isPacked = header(request, 'content-encoding') === 'gzip'
      const content = isPacked ? await unpackBody(signed.body) : signed.body
      if (content === 'too-large') return tooLarge()
      if (content === undefined) return refusal(400, 'The push cannot be unpacked: it was cut off.')
      const decoded = decodePush(content)
      if (!decoded.ok) return refusal(400, decoded.problem.message)
      if (decoded.value.machine !== signed.machine) return refusal(401, 'The push is of another machine.')
      const reply = await ingest.store(checkPush(decoded.value))
      if (reply.kind === 'revoked') {
        keys.forget(signed.machine)
        return refusal(403, 'The key of this machine was revoked.')
      }
      return {
        status: reply.kind === 'stored' ? 200 : 409,
        body: { kind: reply.kind, head: { ...reply.head } },
      }
    } finally {
      reading -= 1
    }
  }

  async function hashes(request: IncomingMessage): Promise<Answer> {
    const signed = await signedBody(request, '/v1/hashes')
    if ('status' in signed) return signed
    const value = parse(signed.body)
    const seqs = Array.isArray(value?.seqs) ? value.seqs : undefined
    const branch = textAt(value ?? {}, 'branch')
    const isRight = seqs?.every((seq) => typeof seq === 'number' && Number.isSafeInteger(seq)) === true
    if (branch === undefined || seqs === undefined || !isRight || seqs.length > 100) {
      return refusal(400, 'The request names no branch and at most 100 records.')
    }
    const found = await sink.hashes(signed.machine, branch, seqs as readonly number[])
    return { status: 200, body: { hashes: { ...found.hashes }, oldest: found.oldest } }
  }

  /** The signature proves that the machine has the key, before the key is known here. */
  async function register(request: IncomingMessage): Promise<Answer> {
    const read = await readBody(request, REGISTER_MAX_BYTES)
    if (read.kind !== 'read') return tooLarge()
    const value = parse(read.body) ?? {}
    const [machine, token] = [textAt(value, 'machine') ?? '', textAt(value, 'token') ?? '']
    const publicKey = parsePublicKey(textAt(value, 'publicKey') ?? '')
    const signature = header(request, SIGNATURE_HEADER)
    if (!MACHINE.test(machine) || publicKey === undefined)
      return refusal(400, 'The request names no machine and no key.')
    const hasKey = isSignedBy(
      { path: '/v1/machines', machine, signature, body: read.body },
      keyObject(publicKey),
    )
    if (!hasKey) return refusal(401, 'The request is not signed with the key that it names.')
    const outcome = await sink.register({ machine, publicKey, token, labels: labelsIn(value) })
    keys.forget(machine)
    if (outcome === 'token') return refusal(403, 'The token is unknown, used up, expired or revoked.')
    if (outcome === 'taken')
      return refusal(409, 'Another key has this identity. An administrator can revoke it.')
    return { status: 200, body: { registered: true } }
  }

  /** For people and dashboards, with a token. */
  async function asRole(request: IncomingMessage, role: Role, work: () => Promise<Answer>): Promise<Answer> {
    const [, token] = /^Bearer (\S+)$/.exec(header(request, 'authorization')) ?? []
    const has = token === undefined ? undefined : await sink.roleOf(token)
    if (has === undefined)
      return { ...refusal(401, 'A valid token is needed.'), headers: { 'www-authenticate': 'Bearer' } }
    if (has !== role && has !== 'admin') return refusal(403, `This token may ${has}, and not ${role}.`)
    return work()
  }

  async function erase(request: IncomingMessage): Promise<Answer> {
    const read = await readBody(request, REGISTER_MAX_BYTES)
    const value = (read.kind === 'read' ? parse(read.body) : undefined) ?? {}
    const selections = (['record', 'session', 'machine', 'user'] as const).flatMap((key) => {
      const text = textAt(value, key)
      return text === undefined ? [] : [{ [key]: text }]
    })
    const [selection] = selections
    if (selection === undefined || selections.length > 1) {
      return refusal(400, 'Name exactly one of record, session, machine and user.')
    }
    if (selection.machine !== undefined && !MACHINE.test(selection.machine))
      return refusal(400, 'This is not a machine.')
    return { status: 200, body: { erased: await sink.erase(selection, textAt(value, 'by') ?? 'the API') } }
  }

  const routes: Readonly<Record<string, (request: IncomingMessage, url: URL) => Promise<Answer>>> = {
    'POST /v1/push': push,
    'POST /v1/hashes': hashes,
    'POST /v1/machines': register,
    'GET /v1/health': async () => ({ status: 200, body: { ok: true, waiting: ingest.waiting } }),
    'GET /v1/records': (request, url) =>
      asRole(request, 'read', async () => {
        const query = queryOf(url.searchParams)
        if (typeof query === 'string') return refusal(400, query)
        return { status: 200, lines: sink.read(query) }
      }),
    'GET /v1/findings': (request) =>
      asRole(request, 'read', async () => ({
        status: 200,
        body: { findings: (await sink.findings()).map((finding) => ({ ...finding })) },
      })),
    'GET /v1/verify': (request, url) =>
      asRole(request, 'read', async () => {
        const machine = url.searchParams.get('machine') ?? ''
        if (!MACHINE.test(machine)) return refusal(400, 'Name a machine.')
        return { status: 200, body: { chains: (await sink.verify(machine)).map((check) => ({ ...check })) } }
      }),
    'POST /v1/erase': (request) => asRole(request, 'admin', () => erase(request)),
    'POST /v1/revoke': (request, url) =>
      asRole(request, 'admin', async () => {
        const machine = url.searchParams.get('machine') ?? ''
        const isKnown = MACHINE.test(machine) && (await sink.revoke(machine))
        keys.forget(machine)
        return isKnown ? { status: 200, body: { revoked: true } } : refusal(404, 'There is no such machine.')
      }),
  }

  return (request, response) => {
    const url = new URL(request.url ?? '/', 'http://collector')
    const route = routes[`${request.method} ${url.pathname}`]
    const work =
      route === undefined ? Promise.resolve(refusal(404, 'There is nothing here.')) : route(request, url)
    work
      .catch((error: unknown) => failure(error, log))
      .then((answer) => send(request, response, answer))
      .catch((error: unknown) => {
        log(`an answer could not be sent: ${messageOf(error)}`)
        response.destroy()
      })
  }
}

const REGISTER_MAX_BYTES = 64 * 1024
const LABELS_MAX = 20

function labelsIn({ labels }: JsonObject): Readonly<Record<string, string>> {
  if (!isObject(labels)) return {}
  const entries = Object.entries(labels).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[key.slice(0, 50), value.slice(0, 200)]] : [],
  )
  return Object.fromEntries(entries.slice(0, LABELS_MAX))
}

/** A text says what is wrong. */
function queryOf(parameters: URLSearchParams): FleetQuery | string {
  const texts = [
    'session',
    'agent',
    'event',
    'tool',
    'hook',
    'project',
    'machine',
    'team',
    'since',
    'until',
  ] as const
  const query: Record<string, string | number> = {}
  for (const [key, value] of parameters) {
    if (texts.some((known) => known === key)) query[key] = value
    else if (key === 'limit' || key === 'after') {
      if (!/^\d{1,15}$/.test(value)) return `\`${key}\` is not a number.`
      query[key] = Number(value)
    } else if (key === 'effect' && /^(?:pass|allow|ask|deny)$/.test(value)) query[key] = value
    else return `\`${key}\` cannot be asked for.`
  }
  for (const key of ['since', 'until']) {
    if (query[key] !== undefined && !Number.isFinite(Date.parse(String(query[key]))))
      return `\`${key}\` is not a time.`
  }
  if (query.machine !== undefined && !MACHINE.test(String(query.machine)))
    return '`machine` is not a machine.'
  return query
}

function parse(body: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}

function refusal(status: number, message: string): Answer {
  return { status, body: { message } }
}

function tooLarge(): Answer {
  return { ...refusal(413, 'The request is too large.'), headers: { connection: 'close' } }
}

function unavailable(message: string): Answer {
  return { status: 503, body: { message }, headers: { 'retry-after': RETRY_SECONDS } }
}

/** Nothing was stored, and the machine keeps its records: whatever it was, it may try again. */
function failure(error: unknown, log: (line: string) => void): Answer {
  log(messageOf(error))
  if (!(error instanceof HoldpointError)) return unavailable('The collector failed. Its log says why.')
  const { code } = error.problem
  return code === 'FLEET_SCHEMA'
    ? unavailable(`The collector is too old. ${ERRORS[code].fix}`)
    : unavailable(MESSAGE)
}

/** The text of the database may contain addresses and names. */
const MESSAGE = 'The database cannot be used now. Nothing was stored; send it again.'

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Or closed: a reader that went away never drains. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve)
    response.once('close', resolve)
  })
}

async function send(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { status, body, headers = {}, lines } = answer
  if (lines !== undefined) {
    response.writeHead(status, { 'content-type': 'application/x-ndjson', ...headers })
    for await (const line of lines) {
      if (response.destroyed) return
      if (!response.write(`${JSON.stringify(line)}\n`)) await drained(response)
    }
    response.end()
    return
  }
  const text = `${JSON.stringify(body ?? {})}\n`
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(text, () => {
    // The rest of a body that is too large is not read.
    if (headers.connection === 'close') request.destroy()
  })
}
