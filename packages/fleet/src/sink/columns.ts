import { MAIN } from '../../../../src/core/actor.ts'
import { hooksOf, parseRecord } from '../../../../src/storage/journal/record.ts'
import type { CheckedRow } from './place-push.ts'

/** What can be asked for about a record. The text itself is kept as it is: any other form of it would break the chain. */
export interface RecordColumns {
  readonly id: string
  /** When it happened, in milliseconds, by the clock of the collector. */
  readonly occurredMs: number
  readonly host: string
  readonly event: string
  readonly session: string
  readonly agent: string
  readonly agentType: string
  readonly tool: string
  readonly effect: string
  /** The whole path, and the name of the folder. Paths differ between machines, names do not. */
  readonly projectPath: string
  readonly project: string
  /** The hooks that decided or failed. */
  readonly hooks: readonly string[]
  /** The hooks that decided. */
  readonly because: readonly string[]
  readonly durationMs: number
  readonly revision: string
}

/** Clocks of healthy machines differ by less. */
const SKEW_IGNORED_MS = 5 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** `skewMs`: by how much the clock of the machine is behind. */
export function columnsOf({ text }: CheckedRow, skewMs: number, receivedMs: number): RecordColumns {
  const record = text === '' ? undefined : parseRecord(text)
  if (record === undefined) return { ...NOTHING, occurredMs: receivedMs }
  return {
    id: plain(record.id),
    occurredMs: occurredMs(Date.parse(record.at), skewMs, receivedMs),
    host: plain(record.host),
    event: plain(record.event),
    session: plain(record.session),
    agent: plain(record.agent ?? MAIN),
    agentType: plain(record.agentType ?? ''),
    tool: plain(record.tool ?? ''),
    effect: record.effect,
    projectPath: plain(record.project),
    project: projectName(plain(record.project)),
    hooks: hooksOf(record).map(plain),
    because: record.because.map(plain),
    durationMs: record.durationMs,
    revision: plain(record.revision),
  }
}

const NOTHING: Omit<RecordColumns, 'occurredMs'> = {
  ...{ id: '', host: '', event: '', session: '', agent: '', agentType: '', tool: '', effect: '' },
  ...{ projectPath: '', project: '', hooks: [], because: [], durationMs: 0, revision: '' },
}

/** A time that cannot be is the time at which the record arrived: no record is refused for its clock. */
function occurredMs(atMs: number, skewMs: number, receivedMs: number): number {
  const corrected = Math.abs(skewMs) > SKEW_IGNORED_MS ? atMs + skewMs : atMs
  if (!Number.isFinite(corrected) || corrected > receivedMs + DAY_MS || corrected < 0) return receivedMs
  return corrected
}

/** `/home/dev/shop` and `C:\work\shop` are `shop`. */
function projectName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? ''
}

/** A column takes no NUL and no half characters. The text of the record keeps them, as escapes. */
export function plain(text: string): string {
  // Most texts have neither, and are not copied.
  return ODD.test(text) ? Buffer.from(text).toString().replaceAll('\u0000', '\ufffd') : text
}

const ODD = /[\u0000\ud800-\udfff]/
