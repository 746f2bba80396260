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

/** The effect of a failure. `retry` runs the hook again, at most `times`, and then uses `then`. */
export type FailurePolicy =
  | 'deny'
  | 'ask'
  | 'pass'
  | { readonly retry: number; readonly then: 'deny' | 'ask' | 'pass' }

/** Complete on purpose: the engine has no default, so every choice is visible in the plan. */
export type OnFailure = Readonly<Record<FailureKind, FailurePolicy>>

/** Ranks, strongest first. Matching hooks of all ranks run, in this order. */
export const RANKS = ['managed', 'user', 'project', 'local', 'plugin', 'frontmatter', 'call'] as const
export type Rank = (typeof RANKS)[number]

/** A compiled pattern over one word. `names` are exact. */
export type Pattern =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'glob'; readonly globs: readonly string[] }
  | { readonly kind: 'regex'; readonly source: string; readonly engine: 'linear' | 'backtracking' }
  | { readonly kind: 'never' }

/** When a hook runs. A missing part matches everything; parts are joined by AND. */
export interface Matcher {
  /** Tested on the event's subject: the tool name, the session source, the agent type, ... */
  readonly subject?: Pattern
  /** The subject, or any tool whose input contains something to run, whatever its name is. */
  readonly orRunsCommands?: boolean
  readonly toolName?: Pattern
  readonly agentType?: Pattern
  readonly source?: Pattern
  readonly trigger?: Pattern
  readonly skill?: Pattern
  /** Not on this host, because the host runs the entry itself. */
  readonly exceptHost?: string
  /** Not for these tools. */
  readonly exceptTools?: readonly string[]
}

export interface ActorScope {
  readonly role?: 'main' | 'subagent'
  readonly agentType?: Pattern
  /** Runs only while this skill is active for the actor. */
  readonly skill?: string
  /** Not for these agents, because they override it. */
  readonly exceptAgents?: readonly Pattern[]
}

/** At this event, these agents do not get the hooks that are for all agents. */
export interface Override {
  readonly on: EventKind
  readonly agent: Pattern
}

/** Where a hook is defined. Shown by `explain` and in every error about it. */
export interface Origin {
  readonly file: string
  readonly line?: number
  readonly column?: number
  readonly key?: string
}

/** How a hook runs: the handler's type and its own parameters. Plain JSON, so that a plan can be cached. */
export interface HandlerSpec {
  readonly type: string
  readonly [key: string]: Json
}

/** One rule on one kind of event. An entry for several kinds becomes several hooks with the same id. */
export interface Hook {
  readonly id: string
  readonly on: EventKind
  readonly match: Matcher
  readonly actor: ActorScope
  readonly run: HandlerSpec
  readonly timeoutMs: number
  readonly onFailure: OnFailure
  /** Declared rewriters run first, one after another. */
  readonly rewrites: boolean
  /** Only for rewriters: after a deny of one such hook, the others are not run. */
  readonly shortCircuit?: boolean
  /** Only a hook with this flag may answer `allow`. */
  readonly grants: boolean
  /** A required hook cannot be overridden, and no exception applies to it. */
  readonly required: boolean
  /** False: it may only deny, ask or warn, and a hook that names a program does not run. */
  readonly trusted: boolean
  readonly rank: Rank
  readonly origin: Origin
}
