import { randomBytes } from 'node:crypto'
import { bad, good, type Result } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { GENESIS } from '../../storage/journal/chain.ts'
import type { ChainPart, ChainRow } from '../../storage/journal/store.ts'
import type { FleetHttp, FleetResponse } from './http.ts'
import type { FleetMachine } from './machine.ts'
import {
  type BranchPoint,
  type ChainEnd,
  encodePush,
  MAIN_BRANCH,
  type Push,
  type PushReply,
  readPushReply,
} from './push-format.ts'
import { signRequest } from './request-signature.ts'
import { retryAfterMs } from './source.ts'

/** The journal of this machine, as far as a copy of it needs. */
export interface ChainSource {
  chain(after: number, limit: number): ChainPart
}

/** How far the collector has the journal. Kept on disk: it may be behind, but never ahead. */
export interface PushCursor extends ChainEnd {
  readonly branch: string
  /** Until the collector has the first record of this branch. */
  readonly parent?: BranchPoint
  readonly counter: number
  /** The collector that knows this machine; missing if none does yet. */
  readonly registeredAt?: string
}

export interface CursorStore {
  read(): PushCursor | undefined
  write(cursor: PushCursor): void
}

export interface PushContext {
  readonly url: string
  readonly token?: string
  readonly machine: FleetMachine
  readonly labels: Readonly<Record<string, string>>
  readonly journal: ChainSource
  readonly cursor: CursorStore
  readonly http: FleetHttp
  status(): JsonObject
  now(): Date
}

export type PushOutcome =
  /** `more`: there are records left. */
  | { readonly kind: 'stored'; readonly records: number; readonly more: boolean }
  | { readonly kind: 'later'; readonly retryAfterMs: number }

const NEW_CURSOR: PushCursor = { seq: 0, hash: GENESIS, branch: MAIN_BRANCH, counter: 0 }
const RECORDS_MAX = 500
/** Records have a few hundred bytes; one with a whole event may have a quarter of a megabyte. */
const BATCH_MAX_BYTES = 2 * 1024 * 1024
const ANSWER_MAX_BYTES = 1024 * 1024
const TIMEOUT_MS = 60_000

/**
 * Sends the records that the collector does not have, in order, at most one batch. What was sent and not confirmed is
 * sent again; the collector stores each record once.
 */
export async function pushJournal(
  context: PushContext,
  limit: number = RECORDS_MAX,
): Promise<Result<PushOutcome>> {
  const { journal, cursor: kept } = context
  const known = kept.read() ?? NEW_CURSOR
  const cursor = { ...known, counter: known.counter + 1 }
  // Before it is sent: after a crash the same counter must not be used again.
  kept.write(cursor)
  if (cursor.registeredAt !== context.url) {
    const registered = await register(context)
    if (!registered.ok) return registered
    if (registered.value !== 'registered') return good(registered.value)
    kept.write({ ...cursor, registeredAt: context.url })
    return pushJournal(context, limit)
  }
  const part = journal.chain(cursor.seq, limit)
  if (!follows(part, cursor)) return leaveBranch(context, cursor)
  const rows = withinBytes(part.rows)
  const push: Push = {
    machine: context.machine.id,
    counter: cursor.counter,
    sentAt: context.now().toISOString(),
    branch: cursor.branch,
    ...(cursor.parent === undefined ? {} : { parent: cursor.parent }),
    previous: part.previous,
    ...(part.previous.seq > cursor.seq ? { oldest: true } : {}),
    status: context.status(),
    rows,
  }
  const answer = await send(context, '/v1/push', encodePush(push), { 'content-encoding': 'gzip' })
  if (!answer.ok) return answer
  const { status, headers, body } = answer.value
  if (status === 413 && limit > 1) return pushJournal(context, Math.floor(limit / 2))
  const paused = pauseOf(status, headers)
  if (paused !== undefined) return good(paused)
  const reply = status === 200 || status === 409 ? readPushReply(body) : undefined
  if (reply === undefined) return refused(context, answer.value)
  return settle(context, cursor, part, rows, reply)
}

/** False if the journal was started anew or rewritten: then it does not continue what the collector has. */
function follows({ previous }: ChainPart, cursor: PushCursor): boolean {
  if (previous.seq < cursor.seq) return false
  return previous.seq > cursor.seq || previous.hash === cursor.hash
}

function withinBytes(rows: readonly ChainRow[]): readonly ChainRow[] {
  let bytes = 0
  const taken: ChainRow[] = []
  for (const row of rows) {
    bytes += row.text.length
    if (taken.length > 0 && bytes > BATCH_MAX_BYTES) break
    taken.push(row)
  }
  return taken
}

async function settle(
  context: PushContext,
  cursor: PushCursor,
  part: ChainPart,
  rows: readonly ChainRow[],
  { kind, head }: PushReply,
): Promise<Result<PushOutcome>> {
  if (kind === 'fork') return leaveBranch(context, cursor)
  const { parent: _parent, ...rest } = cursor
  // An earlier push may have been stored without our knowledge, and a collector may be restored from a copy.
  const local = head.seq === part.previous.seq ? part.previous : context.journal.chain(head.seq, 0).previous
  const isOurs =
    head.seq === 0 || (local.seq === head.seq && local.hash === head.hash) || local.seq > head.seq
  if (!isOurs) return leaveBranch(context, cursor)
  const next = kind === 'behind' ? { ...cursor, ...head } : { ...rest, ...head }
  context.cursor.write(next)
  const more = context.journal.chain(head.seq, 1).rows.length > 0
  return good({ kind: 'stored', records: kind === 'stored' ? rows.length : 0, more })
}

/**
 * The collector has other records than this journal: it was started anew, rewritten, or another machine has the same
 * identity. Both chains are kept: this one goes on under its own name, from the last record that both have.
 */
async function leaveBranch(context: PushContext, cursor: PushCursor): Promise<Result<PushOutcome>> {
  const common = await lastCommon(context, cursor)
  if (!common.ok) return common
  if ('kind' in common.value) return good(common.value)
  const parent = { ...common.value, branch: cursor.branch }
  const branch = randomBytes(6).toString('hex')
  context.cursor.write({ ...cursor, ...common.value, branch, parent })
  return good({ kind: 'stored', records: 0, more: true })
}

const ASKED_AT_ONCE = 30
/** Thirty places at once find any record of a billion in six rounds. */
const ROUNDS_MAX = 8

async function lastCommon(
  context: PushContext,
  cursor: PushCursor,
): Promise<Result<ChainEnd | Extract<PushOutcome, { readonly kind: 'later' }>>> {
  const { journal } = context
  const oldest = journal.chain(0, 0).previous
  const newest = journal.chain(Number.MAX_SAFE_INTEGER, 0).previous
  let low: ChainEnd = { seq: 0, hash: GENESIS }
  let high = Math.max(newest.seq, 0) + 1
  for (let round = 0; round < ROUNDS_MAX && high - Math.max(low.seq, oldest.seq - 1) > 1; round += 1) {
    const from = Math.max(low.seq, oldest.seq - 1)
    const step = Math.max(1, Math.ceil((high - from) / ASKED_AT_ONCE))
    const seqs = Array.from({ length: ASKED_AT_ONCE }, (_, n) => from + step * (n + 1)).filter(
      (seq) => seq < high,
    )
    const body = Buffer.from(JSON.stringify({ branch: cursor.branch, seqs }))
    const answer = await send(context, '/v1/hashes', body, { 'content-type': 'application/json' })
    if (!answer.ok) return answer
    const paused = pauseOf(answer.value.status, answer.value.headers)
    if (paused !== undefined) return good(paused)
    const there = answer.value.status === 200 ? readHashes(answer.value.body) : undefined
    if (there === undefined) return refused(context, answer.value)
    const same = seqs.filter((seq) => {
      const local = journal.chain(seq, 0).previous
      // What the collector has already dropped cannot be compared any more.
      return seq < there.oldest || (local.seq === seq && local.hash === there.hashes[seq])
    })
    const best = same.at(-1)
    const next = seqs.find((seq) => seq > (best ?? 0))
    if (best !== undefined) low = journal.chain(best, 0).previous
    high = next ?? high
    if (next === undefined) break
  }
  return good(low)
}

interface KnownHashes {
  readonly hashes: Readonly<Record<string, Json>>
  /** The first record that the collector still has. */
  readonly oldest: number
}

function readHashes(body: Buffer): KnownHashes | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (!isObject(value) || !isObject(value.hashes)) return undefined
    return { hashes: value.hashes, oldest: typeof value.oldest === 'number' ? value.oldest : 0 }
  } catch {
    return undefined
  }
}

async function register(
  context: PushContext,
): Promise<Result<'registered' | Extract<PushOutcome, { readonly kind: 'later' }>>> {
  const { machine, token, labels } = context
  const body = Buffer.from(
    JSON.stringify({ token: token ?? '', machine: machine.id, publicKey: machine.publicKey, labels }),
  )
  const answer = await send(context, '/v1/machines', body, { 'content-type': 'application/json' })
  if (!answer.ok) return answer
  const paused = pauseOf(answer.value.status, answer.value.headers)
  if (paused !== undefined) return good(paused)
  return answer.value.status === 200 ? good('registered') : refused(context, answer.value)
}

function send(
  { http, url, machine }: PushContext,
  path: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<Result<FleetResponse>> {
  const address = new URL(url)
  address.pathname = `${address.pathname.replace(/\/$/, '')}${path}`
  return http.send({
    url: address,
    method: 'POST',
    headers: { ...headers, ...signRequest(path, machine, body) },
    body,
    maxBytes: ANSWER_MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  })
}

/** The collector is overloaded, or its database is away: try later, nothing is lost. */
function pauseOf(
  status: number,
  headers: FleetResponse['headers'],
): Extract<PushOutcome, { readonly kind: 'later' }> | undefined {
  if (status !== 429 && status !== 502 && status !== 503 && status !== 504) return undefined
  return { kind: 'later', retryAfterMs: retryAfterMs(headers['retry-after']) }
}

/** What the collector says is shown, so it is cut. */
function refused({ url }: PushContext, { status, body }: FleetResponse): Result<never> {
  const said = messageIn(body)
  const message = `The collector ${new URL(url).origin} answers with status ${status}${said === undefined ? '' : `: ${said}`}.`
  return bad('COLLECTOR_REFUSED', message)
}

const MESSAGE_MAX = 300

function messageIn(body: Buffer): string | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    const message = isObject(value) ? value.message : undefined
    return typeof message === 'string' ? message.slice(0, MESSAGE_MAX).replace(/\.$/, '') : undefined
  } catch {
    return undefined
  }
}
