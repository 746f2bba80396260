import type { Problem } from './errors.ts'
import type { EventKind } from './event.ts'
import type {
  ActorScope,
  FailureKind,
  FailurePolicy,
  HandlerSpec,
  Matcher,
  Origin,
  Override,
  Rank,
} from './hook.ts'
import type { JsonObject } from './json.ts'
import type { PackDescription } from './pack-description.ts'

/**
 * A layer is the content of one configuration file, already checked by its source, still as data. It imports nothing
 * that reads files; `plan.ts` turns layers into a plan.
 */
export interface Layer {
  readonly rank: Rank
  readonly file: string
  /** False for project files that are not trusted: see `Hook.trusted`. */
  readonly trusted: boolean
  readonly packs: readonly PackEntry[]
  readonly hooks: readonly HookEntry[]
  /** Files of other formats to read as well. */
  readonly imports?: readonly ImportEntry[]
  /** Whole configurations that count as part of this file. */
  readonly extends?: readonly ExtendEntry[]
  /** Defaults for the hooks of this layer. */
  readonly overrides?: readonly Override[]
  readonly settings: Settings
  readonly problems: readonly Problem[]
}

/** A pack that is enabled, with its options (`level`, `guards`, and the pack's own). */
export interface PackEntry {
  readonly pack: string
  readonly options: JsonObject
  /** The file disables the pack. */
  readonly off?: boolean
  /** The module or package that it comes from. Missing: it is built in, or another entry says so. */
  readonly from?: PackModule
  /** What was found there. Set when the plan is made. */
  readonly found?: FoundPack
  /** Where the pack's own options are written. */
  readonly optionOrigins?: Readonly<Record<string, Origin>>
  readonly origin: Origin
}

export interface PackModule {
  /** A file or a package. */
  readonly module: string
  /** The folder that its name starts from. */
  readonly root: string
}

/** A pack of others: what it says about itself, or why it cannot run. */
export type FoundPack =
  | { readonly kind: 'described'; readonly pack: PackDescription }
  | {
      readonly kind: 'failed'
      readonly failure: FailureKind
      readonly problem: Problem
      /** It may work later although no file has changed: after this time it is tried again. */
      readonly keepMs?: number
    }

/** A format to read hooks from: one named file, or all usual files of that format. */
export interface ImportEntry {
  readonly source: string
  readonly file?: string
  /** Any failure of one of its hooks stops the call. */
  readonly closed?: boolean
  readonly origin: Origin
}

/** A configuration of a package, or another file. */
export interface ExtendEntry {
  readonly name: string
  readonly origin: Origin
}

/** A hook as written. In the plan, missing values get the default of the handler or the event. */
export interface HookEntry {
  readonly id?: string
  readonly on: readonly EventKind[]
  readonly match: Matcher
  readonly actor: ActorScope
  readonly run: HandlerSpec
  readonly timeoutMs?: number
  readonly onFailure?: Partial<Record<FailureKind, FailurePolicy>>
  readonly rewrites?: boolean
  readonly shortCircuit?: boolean
  readonly grants?: boolean
  readonly required?: boolean
  /** No host knows this kind of entry, so no host runs it itself. */
  readonly isOurs?: boolean
  /** False if a program it names has changed since it was trusted. */
  readonly trusted?: boolean
  readonly origin: Origin
}

export interface AskSettings {
  /** How long such a question waits for a person at a board; 0: it is denied at once. */
  readonly waitMs?: number
  /** Tells the person on the desktop that a question waits: the system's own way, a program, or not. */
  readonly notify?: boolean | readonly string[]
}

export interface Settings {
  /** Only counts in managed policy: whether code that a project names may run, trusted or not. */
  readonly projectCode?: 'allowed' | 'forbidden'
  /** How often a Stop or SubagentStop may be blocked before it is allowed with a notice. */
  readonly stopBlocksMax?: number
  /** Questions that reach no user at the agent. */
  readonly ask?: AskSettings
  readonly journal?: {
    readonly keepDays?: number
    readonly keepMegabytes?: number
    readonly enabled?: boolean
    readonly keepInput?: boolean
  }
  /** Only counts in managed policy: what users may still do where the policy is managed. */
  readonly users?: Partial<UserRights>
  /** Only counts in managed and user files: the standard variables of OpenTelemetry, by name. */
  readonly telemetry?: Readonly<Record<string, string>>
  /** Extra patterns whose matches are masked before anything is written. */
  readonly redact?: readonly string[]
}

export interface UserRights {
  /** Whether `holdpoint allow` works for guards that managed policy switches on. */
  readonly exceptions: UserRight
  /** Whether `holdpoint pause` works for packs that managed policy switches on. */
  readonly pauses: UserRight
  /** Whether hooks of other files may answer `allow`. */
  readonly grants: UserRight
}

export type UserRight = 'allowed' | 'forbidden'
