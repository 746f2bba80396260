import type { EffectivePolicy } from '../../config/effective.ts'
import type { Effect } from '../../core/decision.ts'
import type { Problem } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { AllowCodes } from '../explain/allow-codes.ts'
import type { CommandTree } from '../explain/command-tree.ts'
import type { ReplayReport } from '../replay/report.ts'
import type { DecisionFigures } from '../report/decisions.ts'
import type { Section } from '../report/sections.ts'
import type { Status } from '../status/status-facts.ts'

/** What the board's server sends to its pages: plain JSON. Texts of agents in it are data, never markup. */

/** One record as a list shows it. */
export interface RecordSummary {
  readonly id: string
  /** Missing while the record is only in the spool. */
  readonly seq?: number
  readonly at: string
  readonly host: string
  readonly event: string
  readonly session: string
  readonly agent?: string
  readonly agentType?: string
  readonly tool?: string
  /** The first characters. */
  readonly input?: string
  readonly project: string
  readonly effect: Effect
  readonly because: readonly string[]
  readonly reason?: string
  readonly durationMs: number
  readonly toolMs?: number
  /** The host's id of the call: its events are shown as one. */
  readonly call?: string
  readonly failed?: true
  readonly paused?: true
  readonly approval?: ApprovalNote
}

/** How a person answered, as the journal keeps it. */
export interface ApprovalNote {
  readonly answer: string
  readonly by?: string
  readonly terminal?: string
  readonly how?: string
}

export interface RecordFilter {
  readonly effects?: readonly Effect[]
  readonly host?: string
  readonly project?: string
  readonly tool?: string
  readonly session?: string
  readonly text?: string
}

export interface RecordPage {
  /** The newest first. */
  readonly rows: readonly RecordSummary[]
  /** Where the next page begins. Missing: there is nothing more. */
  readonly next?: number
  /** The time of the oldest record that was looked at. */
  readonly searchedTo?: string
}

export interface SessionSummary {
  readonly session: string
  readonly host: string
  readonly project: string
  readonly from: string
  readonly to: string
  readonly records: number
  readonly effects: Readonly<Record<Effect, number>>
  readonly agents: number
  readonly isCut: boolean
  /** The first prompt. */
  readonly title?: string
  readonly seq: number
}

export interface SessionPage {
  readonly rows: readonly SessionSummary[]
  readonly next?: number
}

/** A session as a tree of agents with what each of them did. */
export interface SessionDetail {
  readonly summary: SessionSummary
  /** A parent stands before its children. */
  readonly agents: readonly AgentLane[]
  readonly moments: readonly Moment[]
}

export interface AgentLane {
  /** `main`, or the id of a sub-agent. */
  readonly id: string
  readonly type?: string
  readonly parent?: string
  readonly depth: number
  readonly skills: readonly string[]
  readonly from: string
  readonly to: string
  readonly ended: boolean
  readonly calls: number
  readonly stopped: number
}

/** Something that an agent did, or that happened to it. */
export interface Moment {
  readonly id: string
  readonly kind: 'call' | 'prompt' | 'gate' | 'signal' | 'start' | 'end' | 'other'
  readonly agent: string
  readonly at: string
  /** When the tool was done. */
  readonly doneAt?: string
  readonly toolMs?: number
  readonly event: string
  readonly tool?: string
  readonly input?: string
  readonly effect: Effect
  readonly because: readonly string[]
  /** Of a gate: what the agent owed, by contract. */
  readonly owed?: readonly string[]
  readonly failed?: true
}

/** One orchestration of the pack MUX. */
export interface Orchestration {
  readonly session: string
  readonly folder: string
  /** ADVANCE, RECOVER or BLOCK. */
  readonly gate: string
  readonly reasons: readonly string[]
  readonly signals: readonly { readonly name: string; readonly status: string; readonly path: string }[]
  readonly agents: readonly OrchestrationAgent[]
}

export interface OrchestrationAgent {
  readonly id: string
  readonly name: string
  readonly skills: readonly string[]
  readonly status: string
  /** What the policy says to a usual call of each tool. */
  readonly may: readonly (readonly [tool: string, effect: Effect])[]
}

export interface WhyDetail {
  readonly summary: RecordSummary
  readonly seq: number
  readonly cwd: string
  /** The whole recorded input. */
  readonly input?: string
  readonly reasons: readonly string[]
  readonly notices: readonly string[]
  readonly failures: readonly string[]
  readonly downgraded: readonly string[]
  /** What the guards that stopped it reported. */
  readonly stops: readonly StopNote[]
  readonly allow: AllowCodes
  readonly tree?: CommandTree
  readonly again: DecidedAgain
  readonly similar: readonly RecordSummary[]
  /** The record as it is stored. */
  readonly stored: JsonObject
}

export interface StopNote {
  readonly guard: string
  readonly decided: string
  readonly does: string
  readonly fragment?: string
  readonly path?: string
  readonly reached?: string
  readonly unknown?: string
  readonly configured?: string
  readonly layer?: string
}

/** The same call, decided with the policy of now, without starting a program. */
export type DecidedAgain =
  | { readonly kind: 'impossible'; readonly why: string }
  | ({ readonly kind: 'decided'; readonly samePolicy: boolean } & TriedVerdict)

export interface TriedVerdict {
  readonly effect: Effect
  readonly reasons: readonly string[]
  readonly downgraded: readonly string[]
  readonly notices: readonly string[]
  readonly hooks: readonly HookRow[]
  /** Hooks that would start a program, and were not asked. */
  readonly leftOut: readonly string[]
  readonly revision: string
}

export interface HookRow {
  readonly id: string
  /** `guard`, `rule`, `command`, ... */
  readonly kind: string
  readonly said: string
  readonly why: string
  readonly durationMs: number
  readonly layer: string
  readonly file: string
  readonly line?: number
}

export interface PolicyPage {
  readonly project: string
  readonly policy: EffectivePolicy
  readonly broken: readonly Problem[]
  readonly exceptions: readonly ExceptionRow[]
  /** Entries that no person signed. */
  readonly unsigned: readonly Problem[]
  readonly pause?: { readonly packs: readonly string[] | 'all'; readonly until: string }
}

export interface ExceptionRow {
  readonly code: string
  readonly guard: string
  readonly what: string
  readonly cwd: string
  /** Missing: always. */
  readonly until?: string
  /** Only once, in this session. */
  readonly session?: string
}

/** A call that is tried in the playground. */
export interface TryRequest {
  readonly project: string
  readonly tool: string
  readonly input: JsonObject
  readonly host?: string
  readonly agentType?: string
  readonly skill?: string
  /** A part of a configuration file that is added to the policy. */
  readonly draft?: string
}

export interface TryAnswer {
  readonly now: TriedVerdict
  readonly draft?: TriedVerdict
  readonly draftProblems: readonly Problem[]
  readonly tree?: CommandTree
  /** The call as a test for `.holdpoint/tests`. */
  readonly test: string
}

export interface DiffRequest {
  readonly project: string
  readonly draft: string
}

export interface DiffAnswer {
  readonly problems: readonly Problem[]
  readonly report?: ReplayReport
  /** The time of the oldest record that was compared. */
  readonly since?: string
  /** Records from this time on were left out, because the comparison took too long. */
  readonly until?: string
}

export interface ReportRequest {
  readonly period: string
  readonly project?: string
  readonly compare: boolean
}

export interface ReportPage {
  readonly from?: string
  readonly decisions: DecisionFigures
  readonly sections: readonly Section[]
  readonly missing?: string
  /** The same length of time before. */
  readonly before?: DecisionFigures
}

export interface AgentsPage extends Status {
  readonly daemon?: JsonObject
}

/** What a page needs to know first. */
export interface Hello {
  readonly project: string
  readonly projects: readonly string[]
  readonly hosts: readonly string[]
  readonly version: string
  readonly user: string
}

/** Messages of the live stream. */
export type LiveMessage =
  | { readonly kind: 'records'; readonly rows: readonly RecordSummary[] }
  | { readonly kind: 'approvals'; readonly state: ApprovalState }

/** Who may answer questions here, and what waits. */
export interface ApprovalState {
  readonly board: BoardState
  readonly pending: readonly PendingCall[]
}

export type BoardState =
  /** Approvals are not possible here, and why. */
  | { readonly kind: 'off'; readonly why: string; readonly fix: string }
  /** Another board answers questions. */
  | { readonly kind: 'second'; readonly by: string }
  /** The daemon is not running. */
  | { readonly kind: 'unconnected' }
  | {
      readonly kind: 'ready'
      /** The public half, in base64. */
      readonly key: string
      readonly by: string
      readonly attempts: number
      /** Other boards that wanted to answer since this one was opened. */
      readonly refused: readonly string[]
    }

export interface PendingCall {
  readonly id: string
  /** The call as JSON text: what is shown is what is signed. */
  readonly call: string
  readonly untilMs: number
}
