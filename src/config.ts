import type { Problem } from './errors.ts'
import type { EventKind } from './event.ts'
import type { ActorScope, FailureKind, FailurePolicy, Match, Origin, Pattern, Rank, Run } from './hook.ts'
import type { JsonObject } from './json.ts'

/**
 * A layer is what one configuration file says, already checked by its source, still as data. It imports nothing
 * that reads files; `plan.ts` turns layers into a plan.
 */
export interface Layer {
  readonly rank: Rank
  readonly file: string
  /** False for project files nobody has vouched for: see `Hook.trusted`. */
  readonly trusted: boolean
  readonly packs: readonly PackEntry[]
  readonly hooks: readonly HookEntry[]
  /** Files of other formats that are to count as well. */
  readonly imports?: readonly ImportEntry[]
  /** Agents whose own hooks at an event stand in the place of those for all; `hooks` says so already. */
  readonly overrides?: readonly { readonly on: EventKind; readonly agent: Pattern }[]
  readonly settings: Settings
  readonly problems: readonly Problem[]
}

/** A pack switched on, with its options (`level`, `guards`, and the pack's own). */
export interface PackEntry {
  readonly pack: string
  readonly options: JsonObject
  /** The file says that it does not want the pack. */
  readonly off?: boolean
  readonly origin: Origin
}

/** A format to take hooks from: the one file named, or wherever files of that format lie. */
export interface ImportEntry {
  readonly source: string
  readonly file?: string
  readonly origin: Origin
}

/** A hook as written; everything it leaves open gets its handler's or its event's default in the plan. */
export interface HookEntry {
  readonly id?: string
  readonly on: readonly EventKind[]
  readonly match: Match
  readonly actor: ActorScope
  readonly run: Run
  readonly timeoutMs?: number
  readonly onFailure?: Partial<Record<FailureKind, FailurePolicy>>
  readonly rewrites?: boolean
  readonly shortCircuit?: boolean
  readonly grants?: boolean
  readonly required?: boolean
  /** No host knows such an entry, so none runs it itself. */
  readonly isOurs?: boolean
  /** False when a program it names is not what was vouched for. */
  readonly trusted?: boolean
  readonly origin: Origin
}

export interface Settings {
  /** Counts in managed policy only: whether code that a project names may run at all, trusted or not. */
  readonly projectCode?: 'allowed' | 'forbidden'
  /** How often a Stop or SubagentStop may be held before it is let go with a notice. */
  readonly stopBlocksMax?: number
  readonly journal?: {
    readonly keepDays?: number
    readonly keepMegabytes?: number
    readonly enabled?: boolean
  }
  /** Extra patterns whose matches are masked before anything is written. */
  readonly redact?: readonly string[]
}
