import { MAIN } from '../../../core/actor.ts'
import type { SqlValue } from '../../sqlite/connection.ts'
import type { Seal } from '../chain.ts'
import { hooksOf } from '../record.ts'
import type { JournalRecord, Query } from '../store.ts'

/** Converts records and queries to the columns of the table, and back. */

export interface Row {
  readonly seq: number
  readonly hash: string
  readonly id: string
  readonly at: string
  readonly event: string
  readonly session: string
  readonly agent: string
  readonly tool: string
  readonly effect: string
  readonly project: string
  readonly hooks: string
  readonly record: string
  readonly salt: string
  readonly digest: string
}

export const COLUMNS = [
  'seq',
  'hash',
  'id',
  'at',
  'event',
  'session',
  'agent',
  'tool',
  'effect',
  'project',
  'hooks',
  'record',
  'salt',
  'digest',
] as const satisfies readonly (keyof Row)[]

export function rowOf(seq: number, hash: string, record: JournalRecord, text: string, seal: Seal): Row {
  return {
    seq,
    hash,
    id: plain(record.id),
    at: plain(record.at),
    event: plain(record.event),
    session: plain(record.session),
    agent: plain(record.agent ?? MAIN),
    tool: plain(record.tool ?? ''),
    effect: record.effect,
    project: plain(record.project),
    hooks: `\n${hooksOf(record).map(plain).join('\n')}\n`,
    record: text,
    salt: seal.salt,
    digest: seal.digest,
  }
}

/** What remains of an erased record: its time and its place in the chain. */
export function erasedRow({ seq, hash, at, digest }: Pick<Row, 'seq' | 'hash' | 'at' | 'digest'>): Row {
  const nothing = { id: '', event: '', session: '', agent: '', tool: '', effect: '', project: '', hooks: '' }
  return { ...nothing, seq, hash, at, digest, record: '', salt: '' }
}

/** The conditions of a query as SQL with their parameters. */
export function conditionsOf(query: Query): {
  readonly where: string
  readonly parameters: readonly SqlValue[]
} {
  const conditions: readonly (readonly [string, string | number | undefined])[] = [
    ['seq > ?', query.after],
    ['at >= ?', query.since],
    ['session = ?', query.session],
    ['agent = ?', query.agent],
    ['event = ?', query.event],
    ['tool = ?', query.tool],
    ['effect = ?', query.effect],
    ['project = ?', query.project],
    ['instr(hooks, ?) > 0', query.hook === undefined ? undefined : `\n${plain(query.hook)}\n`],
  ]
  const asked = conditions.filter(([, value]) => value !== undefined)
  return {
    where: ['1', ...asked.map(([condition]) => condition)].join(' AND '),
    parameters: asked.map(([, value]) => (typeof value === 'string' ? plain(value) : (value ?? null))),
  }
}

/** A column ends at NUL and accepts no half characters. The text of the record keeps them, the columns do not. */
export function plain(text: string): string {
  return Buffer.from(text).toString().replaceAll('\u0000', '\ufffd')
}
