import type { ChainEnd, PushReply } from '../../../../src/daemon/fleet/push-format.ts'
import type { JournalRecord, Query } from '../../../../src/storage/journal/store.ts'
import type { CheckedPush, FindingKind } from './place-push.ts'

/**
 * Where a collector keeps the journals of all machines. Asynchronous, shared by any number of collectors, and safe if one
 * of them dies at any moment.
 */
export interface Sink {
  /** Exchanges an enrollment token for the right to push with this key. A key that has the right needs no token. */
  register(machine: NewMachine): Promise<Registration>
  /** Undefined: there is no such machine. */
  machineKey(machine: string): Promise<MachineKey | undefined>
  /** From now on the machine needs a new key and a token. What it stored before stays. */
  revoke(machine: string): Promise<boolean>
  /** What the bearer of a token may do; undefined if it is unknown, expired or revoked. */
  roleOf(token: string): Promise<Role | undefined>
  /**
   * Stores each record once, all records of a push or none. Several pushes are stored together, because one commit takes
   * as long as a hundred.
   */
  append(pushes: readonly CheckedPush[]): Promise<readonly AppendReply[]>
  hashes(machine: string, branch: string, seqs: readonly number[]): Promise<KnownHashes>
  /** From oldest to newest. */
  read(query: FleetQuery): AsyncIterable<FleetRecord>
  findings(machine?: string): Promise<readonly StoredFinding[]>
  /** Walks the chains of a machine, or of all. */
  verify(machine?: string): Promise<readonly ChainCheck[]>
  /** Removes the contents of records. Their places in the chain stay, so it still verifies. */
  erase(selection: EraseSelection, by: string, options?: { readonly rewrite?: boolean }): Promise<number>
  /** Drops what is older than the limits. */
  retain(limits: RetentionLimits, now: Date): Promise<RetentionResult>
  close(): Promise<void>
}

/** `push`: machines. `read`: people and dashboards. `admin`: erase, revoke. */
export type Role = 'push' | 'read' | 'admin'

/** `revoked`: the machine may not push any more. */
export type AppendReply = PushReply | { readonly kind: 'revoked' }

export interface NewMachine {
  readonly machine: string
  readonly publicKey: string
  readonly token: string
  readonly labels: Readonly<Record<string, string>>
}

export type Registration =
  | 'registered'
  /** The token is unknown, used up, expired or revoked. */
  | 'token'
  /** Another key has this identity. An administrator can revoke it. */
  | 'taken'

export interface MachineKey {
  readonly publicKey: string
  readonly revoked: boolean
}

export interface KnownHashes {
  /** By sequence number. */
  readonly hashes: Readonly<Record<string, string>>
  /** The first record that is still there. */
  readonly oldest: number
}

export interface FleetQuery extends Query {
  readonly machine?: string
  readonly team?: string
  /** Only records before this ISO time. */
  readonly until?: string
}

export interface FleetRecord extends ChainEnd {
  readonly machine: string
  readonly branch: string
  /** ISO time: when it happened, corrected by the clock of the collector if the machine's is off. */
  readonly occurredAt: string
  readonly intact: boolean
  readonly record: JournalRecord
}

export interface StoredFinding {
  readonly machine: string
  readonly branch: string
  readonly kind: FindingKind
  readonly seq: number
  readonly detail: string
  readonly foundAt: string
}

export interface ChainCheck {
  readonly machine: string
  readonly branch: string
  readonly ok: boolean
  readonly records: number
  readonly erased: number
  /** The first record that does not verify, and why. */
  readonly brokenAt?: number
  readonly message: string
}

/** One of these. */
export interface EraseSelection {
  readonly record?: string
  readonly session?: string
  readonly machine?: string
  /** The name of the user on their machines. */
  readonly user?: string
}

export interface RetentionLimits {
  readonly keepDays: number
  /** By the name of the project's folder; shorter or longer than `keepDays`. */
  readonly projects: Readonly<Record<string, number>>
}

export interface RetentionResult {
  /** Days whose records were dropped completely. */
  readonly days: number
  /** Records whose contents were removed. */
  readonly erased: number
}
