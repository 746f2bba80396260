import type { Effect } from '../decision.ts'
import type { JsonObject } from '../json.ts'

/** What the journal keeps of one event: already redacted, size-capped, plain JSON. */
export interface JournalRecord {
  /** Unique, sortable by time. */
  readonly id: string
  /** ISO time. */
  readonly at: string
  readonly host: string
  /** Canonical kind. */
  readonly event: string
  readonly session: string
  readonly agent?: string
  readonly agentType?: string
  readonly tool?: string
  /** Shortened, masked tool input or prompt. */
  readonly input?: string
  readonly cwd: string
  readonly project: string
  readonly effect: Effect
  /** Hook ids whose effect it is. */
  readonly because: readonly string[]
  readonly reason?: string
  readonly failed?: readonly string[]
  readonly notices?: readonly string[]
  readonly durationMs: number
  /** Plan revision. */
  readonly revision: string
  /** Anything else worth keeping; readers must tolerate what they do not know. */
  readonly extra?: JsonObject
}

export interface Query {
  /** Newest N; all when missing. Results are always oldest first. */
  readonly limit?: number
  readonly session?: string
  readonly agent?: string
  readonly event?: string
  readonly tool?: string
  readonly effect?: Effect
  readonly hook?: string
  readonly since?: string
  readonly project?: string
  /** Only records after this sequence number (for `--follow`). */
  readonly after?: number
}

export interface StoredRecord {
  /** 1-based position in the chain, never reused. */
  readonly seq: number
  /** Hash of the previous record's hash and this record. */
  readonly hash: string
  readonly record: JournalRecord
}

export interface ChainReport {
  readonly ok: boolean
  readonly records: number
  /** First sequence number that does not verify, and why. */
  readonly brokenAt?: number
  readonly message: string
}

/**
 * The journal: append-only, chained by hash. Opened by `log`, `report` and the daemon, never on the hook path.
 * Sync on purpose: the libraries are, and the callers have their own thread or are a command line.
 */
export interface Store {
  /** Appends in order, all or nothing. */
  append(records: readonly JournalRecord[]): void
  read(query: Query): Iterable<StoredRecord>
  find(id: string): StoredRecord | undefined
  verify(): ChainReport
  /** Drops the oldest records beyond the limits; the chain still verifies from the new start. */
  retain(limits: { readonly keepDays?: number; readonly keepMegabytes?: number; readonly now: Date }): number
  close(): void
}
