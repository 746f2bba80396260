import { gzipSync } from 'node:zlib'
import { isCount } from '../../config/bundle/keys.ts'
import { bad, good, type Result } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import type { ChainRow } from '../../storage/journal/store.ts'

/**
 * What a machine sends to a collector: a head, then one line for each record of its journal, as the chain has it. A
 * push without records says that the machine is alive, and how it is.
 */
export interface Push {
  readonly machine: string
  /** Raised by each push, so that an old one that somebody sends again is recognised. */
  readonly counter: number
  /** The clock of the machine, as ISO time. */
  readonly sentAt: string
  /** `main`, or the name of a second chain of the same machine. */
  readonly branch: string
  /** For the first push of a second chain: where it leaves the first one. */
  readonly parent?: BranchPoint
  /** The place in the chain that the first record follows. */
  readonly previous: ChainEnd
  /** The machine does not have older records any more, so that the collector cannot ask for them. */
  readonly oldest?: boolean
  readonly status?: JsonObject
  readonly rows: readonly ChainRow[]
}

export interface ChainEnd {
  readonly seq: number
  readonly hash: string
}

export interface BranchPoint extends ChainEnd {
  readonly branch: string
}

const PUSH_FORMAT = 1
export const MAIN_BRANCH = 'main'
/** Compressed, and not. A machine sends far less. */
export const PUSH_MAX_BYTES = 8 * 1024 * 1024
export const PUSH_CONTENT_MAX_BYTES = 32 * 1024 * 1024
const ROWS_MAX = 5_000

export function encodePush({ rows, ...head }: Push): Buffer {
  const lines = [JSON.stringify({ format: PUSH_FORMAT, ...head, records: rows.length })]
  for (const { seq, hash, salt, digest, text } of rows)
    lines.push(JSON.stringify([seq, hash, salt, digest, text]))
  // The fastest level: the text shrinks to a sixth, and a higher level takes three times as long for a seventh.
  return gzipSync(`${lines.join('\n')}\n`, { level: 1 })
}

/** From the uncompressed text. Says what is wrong, for the log of the collector and the machine. */
export function decodePush(content: Buffer): Result<Push> {
  const text = content.toString('utf8')
  const end = text.indexOf('\n')
  const head = parse(end === -1 ? text : text.slice(0, end))
  if (!isObject(head)) return invalid('its first line is not a JSON object')
  if (isCount(head.format) && head.format > PUSH_FORMAT) {
    return bad(
      'PUSH_INVALID',
      `The push has format ${head.format}, and this collector knows format ${PUSH_FORMAT}.`,
      {
        fix: 'Upgrade the collector. The machine keeps its records until then.',
      },
    )
  }
  if (head.format !== PUSH_FORMAT) return invalid('it has no `format`')
  const [machine, sentAt, branch] = ['machine', 'sentAt', 'branch'].map((key) => textAt(head, key))
  const previous = readEnd(head.previous)
  if (machine === undefined || sentAt === undefined || branch === undefined)
    return invalid('its head is incomplete')
  if (!isCount(head.counter) || !isCount(head.records) || previous === undefined)
    return invalid('its head is incomplete')
  if (!BRANCH.test(branch)) return invalid('its `branch` is not a name')
  if (!Number.isFinite(Date.parse(sentAt))) return invalid('its `sentAt` is not a time')
  const lines = end === -1 ? [] : text.slice(end + 1).split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (lines.length !== head.records || lines.length > ROWS_MAX) {
    return invalid(`it has ${lines.length} records, and its head says ${head.records}`)
  }
  const rows: ChainRow[] = []
  for (const line of lines) {
    const row = readRow(parse(line), previous.seq + rows.length + 1)
    if (row === undefined) return invalid(`its record ${rows.length + 1} is not the next record of a chain`)
    rows.push(row)
  }
  const parent = readParent(head.parent)
  return good({
    ...{ machine, counter: head.counter, sentAt, branch, previous, rows },
    ...(parent === undefined ? {} : { parent }),
    ...(head.oldest === true ? { oldest: true } : {}),
    ...(isObject(head.status) ? { status: head.status } : {}),
  })
}

const BRANCH = /^[a-z0-9-]{1,40}$/
const HASH = /^[0-9a-f]{64}$/

function readEnd(value: Json | undefined): ChainEnd | undefined {
  if (!isObject(value) || !isCount(value.seq)) return undefined
  const hash = textAt(value, 'hash')
  return hash === undefined || !HASH.test(hash) ? undefined : { seq: value.seq, hash }
}

function readParent(value: Json | undefined): BranchPoint | undefined {
  const end = readEnd(value)
  const branch = isObject(value) ? textAt(value, 'branch') : undefined
  return end === undefined || branch === undefined || !BRANCH.test(branch) ? undefined : { ...end, branch }
}

function readRow(value: Json | undefined, seq: number): ChainRow | undefined {
  if (!Array.isArray(value) || value.length !== 5 || value[0] !== seq) return undefined
  const [, hash, salt, digest, text] = value as readonly Json[]
  if (typeof hash !== 'string' || typeof salt !== 'string') return undefined
  if (typeof digest !== 'string' || typeof text !== 'string' || !HASH.test(hash)) return undefined
  return { seq, hash, salt, digest, text }
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function invalid(why: string): Result<never> {
  return bad('PUSH_INVALID', `This is not a push of a machine: ${why}.`)
}

/** What a collector answers to a push. */
export type PushReply =
  /** All records up to `head` are stored. */
  | { readonly kind: 'stored'; readonly head: ChainEnd }
  /** The collector has fewer records than the machine thinks: it wants those after `head`. */
  | { readonly kind: 'behind'; readonly head: ChainEnd }
  /** The collector has other records at the same place. */
  | { readonly kind: 'fork'; readonly head: ChainEnd }

export function readPushReply(body: Buffer): PushReply | undefined {
  const value = parse(body.toString('utf8'))
  const head = isObject(value) ? readEnd(value.head) : undefined
  const kind = isObject(value) ? value.kind : undefined
  if (head === undefined || (kind !== 'stored' && kind !== 'behind' && kind !== 'fork')) return undefined
  return { kind, head }
}
