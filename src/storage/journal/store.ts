import type { Effect } from '../../core/decision.ts'
import type { JsonObject } from '../../core/json.ts'

/** The journal record of one event: already masked, limited in size, plain JSON. */
export interface JournalRecord {
  /** Unique, and sortable by time. */
  readonly id: string
  /** ISO time. */
  readonly at: string
  readonly host: string
  /** The canonical kind. */
  readonly event: string
  readonly session: string
  readonly agent?: string
  readonly agentType?: string
  readonly tool?: string
  /** Tool input or prompt, shortened and masked. */
  readonly input?: string
  readonly cwd: string
  readonly project: string
  readonly effect: Effect
  /** The ids of the hooks that caused the effect. */
  readonly because: readonly string[]
  readonly reason?: string
  readonly failed?: readonly string[]
  readonly notices?: readonly string[]
  readonly durationMs: number
  /** The revision of the plan. */
  readonly revision: string
  /** Other data. Readers must accept unknown fields. */
  readonly extra?: JsonObject
}

export interface Query {
  /** Only the newest N; all if missing. Results are always from oldest to newest. */
  readonly limit?: number
  readonly session?: string
  readonly agent?: string
  readonly event?: string
  readonly tool?: string
  readonly effect?: Effect
  readonly hook?: string
  readonly since?: string
  /** Only records before this ISO time. */
  readonly until?: string
  readonly project?: string
  /** Only records after this sequence number (for `--follow`). */
  readonly after?: number
  /** Only records before this sequence number, to read backwards in steps. */
  readonly before?: number
}

/** One session of an agent, as the journal has met it. */
export interface SessionRow {
  readonly session: string
  /** Its newest record, which names the host and the project. */
  readonly last: StoredRecord
  /** ISO time of the oldest record that was counted. */
  readonly from: string
  readonly records: number
  readonly effects: Readonly<Record<Effect, number>>
  /** Agents that acted in it, the main agent included. */
  readonly agents: number
  /** It has more records than were counted. */
  readonly isCut: boolean
}

/** How many records of one session are counted. */
export const SESSION_RECORDS_MAX = 20_000

export interface StoredRecord {
  /** 1-based position in the chain, never reused. */
  readonly seq: number
  /** Hash of the previous record's hash and this record. */
  readonly hash: string
  readonly record: JournalRecord
}

/** One record as the chain has it: the text and its salt are empty if it was erased. */
export interface ChainRow {
  readonly seq: number
  readonly hash: string
  readonly salt: string
  /** Empty if Holdpoint 0.1.0 wrote the record: its text is then part of the chain. */
  readonly digest: string
  readonly text: string
}

/** Consecutive rows, and the place in the chain that they follow. */
export interface ChainPart {
  readonly previous: { readonly seq: number; readonly hash: string }
  readonly rows: readonly ChainRow[]
}

export interface ChainReport {
  readonly ok: boolean
  readonly records: number
  /** How many of these were erased. */
  readonly erased?: number
  /** The first sequence number that does not verify, and why. */
  readonly brokenAt?: number
  readonly message: string
}

/**
 * The journal: append-only, with a hash chain. `log`, `report` and the daemon open it; hooks never do. It is
 * synchronous because the libraries are, and its callers have a separate thread or are a command line.
 */
export interface Store {
  /** Appends in order, all or nothing. */
  append(records: readonly JournalRecord[]): void
  read(query: Query): Iterable<StoredRecord>
  find(id: string): StoredRecord | undefined
  /** The sessions that were active last, the newest first. `before` continues a list behind its last `last.seq`. */
  sessions(query: { readonly limit: number; readonly before?: number }): readonly SessionRow[]
  verify(): ChainReport
  /**
   * The rows after a sequence number, to be copied elsewhere. If older ones were dropped, `previous` is the last dropped
   * one; if there are not that many, it is the last row.
   */
  chain(after: number, limit: number): ChainPart
  /**
   * Removes everything except the place of a record in the chain, which still verifies. `unsealed`: Holdpoint 0.1.0 wrote
   * the record, so its text is part of the chain.
   */
  erase(id: string): 'erased' | 'unknown' | 'unsealed'
  /** Drops the oldest records beyond the limits; the chain still verifies from the new start. */
  retain(limits: { readonly keepDays?: number; readonly keepMegabytes?: number; readonly now: Date }): number
  close(): void
}
