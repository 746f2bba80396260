import type { EventKind } from './event.ts'
import type { Json } from './json.ts'

/** Why a hook could not answer. */
export type FailureKind =
  | 'timeout'
  | 'crash'
  | 'invalidOutput'
  | 'import'
  | 'parse'
  | 'validation'
  | 'state'
  | 'untrusted'

export const FAILURE_KINDS: readonly FailureKind[] = [
  'timeout',
  'crash',
  'invalidOutput',
  'import',
  'parse',
  'validation',
  'state',
  'untrusted',
]

/** What a failure becomes. `retry` runs the hook again, at most `times`, then settles for `then`. */
export type FailurePolicy =
  | 'deny'
  | 'ask'
  | 'pass'
  | { readonly retry: number; readonly then: 'deny' | 'ask' | 'pass' }

/** Total on purpose: the engine has no default, so every choice is visible in the plan. */
export type OnFailure = Readonly<Record<FailureKind, FailurePolicy>>

/** Ranks, strongest first; all matching hooks of all ranks run in this order. */
export const RANKS = ['managed', 'user', 'project', 'local', 'plugin', 'frontmatter', 'call'] as const
export type Rank = (typeof RANKS)[number]

/** A compiled pattern over one word. `names` are exact. */
export type Pattern =
  | { readonly is: 'names'; readonly names: readonly string[] }
  | { readonly is: 'glob'; readonly globs: readonly string[] }
  | { readonly is: 'regex'; readonly source: string; readonly engine: 'linear' | 'backtracking' }
  | { readonly is: 'never' }

/** When a hook runs. A missing part matches everything; parts are joined by AND. */
export interface Match {
  /** Tested on the event's subject: the tool name, the session source, the agent type, ... */
  readonly subject?: Pattern
  /** The subject, or any tool that runs a command line, whatever its agent calls it. */
  readonly orShellTool?: boolean
  readonly toolName?: Pattern
  readonly agentType?: Pattern
  readonly source?: Pattern
  readonly trigger?: Pattern
  readonly skill?: Pattern
  /** Not on this host, which runs the entry itself. */
  readonly exceptHost?: string
}

export interface ActorScope {
  readonly role?: 'main' | 'subagent'
  readonly agentType?: Pattern
  /** Runs only while this skill is active for the actor. */
  readonly skill?: string
  /** Not for these agents: their own list stands in the place of the one this hook is in. */
  readonly exceptAgents?: readonly Pattern[]
}

/** Where a hook came from: shown by `explain`, named in every error about it. */
export interface Origin {
  readonly file: string
  readonly line?: number
  readonly column?: number
  readonly key?: string
}

/** How a hook runs: the handler's type and its own parameters. Plain JSON, so that a plan can be cached. */
export interface Run {
  readonly type: string
  readonly [key: string]: Json
}

/** One rule on one kind of event. A configured entry on several kinds becomes several hooks with one id. */
export interface Hook {
  readonly id: string
  readonly on: EventKind
  readonly match: Match
  readonly actor: ActorScope
  readonly run: Run
  readonly timeoutMs: number
  readonly onFailure: OnFailure
  /** Declared rewriters run first, one after another. */
  readonly rewrites: boolean
  /** Of rewriters: after a deny of one such hook the others like it are not asked any more. */
  readonly shortCircuit?: boolean
  /** Only a granting hook may answer `allow`. */
  readonly grants: boolean
  /** A required hook cannot be overridden or excepted. */
  readonly required: boolean
  /** False: may only deny, ask or warn, and anything that names a program does not run. */
  readonly trusted: boolean
  readonly rank: Rank
  readonly origin: Origin
}
