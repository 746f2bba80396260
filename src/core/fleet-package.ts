import type { Json, JsonObject } from './json.ts'

/**
 * What the package `@holdpoint/fleet` offers to the command line. It is a package of its own, because a machine that is
 * only guarded needs neither PostgreSQL nor OpenTelemetry.
 */
export interface CollectorPackage {
  runCollector(options: CollectorRun): Promise<{ readonly port: number; close(): Promise<void> }>
  /** Throws FLEET_DATABASE if the database cannot be used. */
  openFleet(database: string): Promise<FleetDatabase>
}

export interface CollectorRun {
  /** The address of the PostgreSQL database. */
  readonly database: string
  readonly host: string
  readonly port: number
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly migrate: boolean
  readonly retention?: FleetRetention
  log(line: string): void
}

export interface FleetRetention {
  readonly keepDays: number
  /** By the name of the project's folder. */
  readonly projects: Readonly<Record<string, number>>
}

/** The database of a fleet, for administrators and for the board. */
export interface FleetDatabase {
  migrate(): Promise<{ readonly from: number; readonly to: number }>
  /** Returns the token. It is not stored, only its hash is. */
  createToken(token: NewToken): Promise<string>
  tokens(): Promise<readonly TokenInfo[]>
  /** By the id that `tokens` shows. */
  revokeToken(id: string): Promise<boolean>
  machines(filter?: MachineFilter): Promise<readonly MachineOverview[]>
  /** How many machines are in each state, without those that were revoked. */
  machineStates(): Promise<Readonly<Record<MachineState, number>>>
  revokeMachine(machine: string): Promise<boolean>
  stops(query: StopsQuery): Promise<readonly StopsRow[]>
  /** One session on all machines, from oldest to newest. */
  session(session: string, limit: number): Promise<readonly SessionRecord[]>
  rollout(name?: string): Promise<readonly RolloutRow[]>
  findings(): Promise<readonly FleetFinding[]>
  resolveFindings(machine: string, by: string): Promise<number>
  verify(machine?: string): Promise<readonly FleetChain[]>
  /** `rewrite`: write the files of the affected days anew, so that no byte of it stays. */
  erase(selection: FleetErasure, by: string, options?: { readonly rewrite?: boolean }): Promise<number>
  retain(limits: FleetRetention): Promise<{ readonly days: number; readonly erased: number }>
  close(): Promise<void>
}

export interface NewToken {
  readonly role: 'push' | 'read' | 'admin'
  readonly label: string
  readonly team: string
  readonly expiresAt?: Date
  /** How many machines can use it. */
  readonly uses?: number
}

export interface TokenInfo {
  readonly id: string
  readonly role: string
  readonly label: string
  readonly team: string
  readonly createdAt: string
  readonly expiresAt?: string
  readonly usesLeft?: number
  readonly revoked: boolean
}

export interface MachineFilter {
  readonly team?: string
  /** Only those that a person should look at. */
  readonly urgent?: boolean
  readonly limit?: number
}

export interface MachineOverview {
  readonly machine: string
  readonly hostname: string
  readonly user: string
  readonly team: string
  readonly platform: string
  readonly version: string
  readonly agents: readonly JsonObject[]
  /** ISO time. */
  readonly lastSeen?: string
  readonly bundle?: MachineBundle
  readonly findings: number
  readonly revoked: boolean
  /** The first that applies, most urgent first; `well` if none does. */
  readonly state: MachineState
}

export type MachineState = 'tampered' | 'unguarded' | 'silent' | 'policy problem' | 'outdated' | 'well'

export interface MachineBundle {
  readonly name: string
  readonly revision: number
  readonly channel: string
  readonly enforced: boolean
  readonly expires?: string
  readonly problem?: string
}

export interface StopsQuery {
  readonly by: 'guard' | 'team' | 'project' | 'day'
  /** ISO day, included. */
  readonly since?: string
  readonly team?: string
  readonly project?: string
  readonly limit?: number
}

export interface StopsRow {
  readonly name: string
  readonly denied: number
  readonly asked: number
}

export interface SessionRecord {
  readonly machine: string
  readonly hostname: string
  readonly user: string
  readonly at: string
  readonly intact: boolean
  readonly record: Json
}

export interface RolloutRow {
  readonly name: string
  readonly revision: number
  /** ISO time, to the minute. */
  readonly minute: string
  readonly machines: number
  readonly machinesSoFar: number
}

export interface FleetFinding {
  readonly machine: string
  readonly hostname: string
  readonly user: string
  readonly kind: string
  readonly seq: number
  readonly detail: string
  readonly foundAt: string
}

export interface FleetChain {
  readonly machine: string
  readonly branch: string
  readonly ok: boolean
  readonly records: number
  readonly erased: number
  readonly message: string
}

/** One of these. */
export interface FleetErasure {
  readonly record?: string
  readonly session?: string
  readonly machine?: string
  readonly user?: string
}

/** OpenTelemetry export, for the journal thread and for `holdpoint fleet export`. */
export interface TelemetryPackage {
  /** Reads the standard `OTEL_*` variables of this process. Throws OPTION_INVALID if they ask for something else. */
  createTelemetry(options: TelemetryOptions): Telemetry
}

export interface TelemetryOptions {
  /** Who sends: attributes of the resource. */
  readonly resource: Readonly<Record<string, string>>
  /** All records of a session, oldest first, for its trace. */
  sessionRecords(session: string): readonly ExportRecord[]
}

/** A record of the journal with its place. */
export interface ExportRecord {
  readonly seq: number
  readonly record: TelemetryRecord
}

/** The fields of a journal record that telemetry uses. */
export interface TelemetryRecord {
  readonly id: string
  readonly at: string
  readonly host: string
  readonly event: string
  readonly session: string
  readonly agent?: string
  readonly agentType?: string
  readonly tool?: string
  readonly input?: string
  readonly project: string
  readonly effect: string
  readonly because: readonly string[]
  readonly reason?: string
  readonly failed?: readonly string[]
  readonly durationMs: number
  readonly revision: string
  readonly extra?: JsonObject
}

export const TELEMETRY_SIGNALS = ['logs', 'metrics', 'traces'] as const
export type TelemetrySignal = (typeof TELEMETRY_SIGNALS)[number]

export interface Telemetry {
  /** The signals that are switched on. */
  readonly signals: readonly TelemetrySignal[]
  /** Resolves when the receiver has confirmed all of it. Rejects otherwise; then the same records are sent again. */
  send(signal: TelemetrySignal, records: readonly ExportRecord[]): Promise<void>
  close(): Promise<void>
}
