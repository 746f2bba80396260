import type { FailureKind } from './hook.ts'
import type { Json, JsonObject } from './json.ts'

/** `pass` is no opinion; `allow` skips the host's own permission prompt and needs a hook that grants. */
export type Effect = 'pass' | 'allow' | 'ask' | 'deny'

/** Strictest last. */
export const EFFECTS: readonly Effect[] = ['pass', 'allow', 'ask', 'deny']

/** Text for an agent. What is not for the actor itself waits in the other actor's inbox. */
export interface Context {
  readonly text: string
  readonly to: 'self' | 'parent' | 'main'
  /** How an embedding program should deliver it; hosts with one way ignore it. */
  readonly strategy?: 'tool_result' | 'user_message'
}

/** One change to the session's state, carried out by the runtime, never by a guard. */
export type Patch =
  | { readonly op: 'set'; readonly key: string; readonly value: Json }
  | { readonly op: 'count'; readonly key: string; readonly by: number }
  | { readonly op: 'push'; readonly key: string; readonly value: Json; readonly keep: number }

/** A file to write (`text`) or delete (`text: null`), relative to the project. */
export interface FileChange {
  readonly path: string
  readonly text: string | null
}

/**
 * Something to keep for people, relative to the project: masked, written whatever is decided, and lost rather than in
 * the way. `line`: added to what is there. `whole`: in its place. `first`: only where nothing is. `away`: deleted.
 * `log`: a line for the log of this name, which lies with the state, or, where asked, also in the system's /tmp.
 */
export type Note =
  | { readonly put: 'line' | 'whole'; readonly path: string; readonly json: JsonObject }
  | { readonly put: 'first'; readonly path: string; readonly text: string }
  | { readonly put: 'away'; readonly path: string }
  | { readonly put: 'log'; readonly path: string; readonly text: string; readonly inTmp?: boolean }

/** What a hook says. Every part is optional beside the effect; an empty pass is `null` where answers are returned. */
export interface Answer {
  readonly effect: Effect
  /** For the agent: what was stopped, why, what to do instead. */
  readonly reason?: string
  /** Which guard or rule inside the hook spoke, when that is finer than the hook. */
  readonly guard?: string
  readonly context?: readonly Context[]
  /** For the person. */
  readonly notices?: readonly string[]
  /** The whole new tool input. */
  readonly rewrite?: JsonObject
  /** The new tool output. */
  readonly output?: Json
  /** End the workflow, with this text. */
  readonly halt?: string
  /** Committed unless the decision is a deny. */
  readonly remember?: readonly Patch[]
  /** Committed only when the decision is a deny. */
  readonly rememberDenied?: readonly Patch[]
  readonly files?: readonly FileChange[]
  readonly notes?: readonly Note[]
  /** Facts for `explain`: how the hook came to its answer. */
  readonly detail?: Json
}

/** A hook that could not answer, and why. Not an answer: `onFailure` turns it into one. */
export interface Failure {
  readonly failure: FailureKind
  readonly message: string
}

/** One hook's answer in the decision, in plan order. */
export interface Finding extends Answer {
  readonly hook: string
  /** Position in the plan; fixes the order of reasons whatever the order of finishing. */
  readonly order: number
  readonly failed?: Failure
  readonly durationMs?: number
}

export interface Reason {
  readonly hook: string
  readonly guard?: string
  readonly text: string
}

/** All findings combined. */
export interface Decision {
  readonly effect: Effect
  /** Reasons of the deciding findings, in plan order. */
  readonly reasons: readonly Reason[]
  readonly context: readonly Context[]
  readonly notices: readonly string[]
  readonly rewrite?: JsonObject
  readonly output?: Json
  readonly halt?: string
  /** The hooks whose effect is the decision's. Empty for pass. */
  readonly because: readonly string[]
  readonly failed: readonly { readonly hook: string; readonly failure: Failure; readonly became: Effect }[]
  /** What the host could not express, and what it became. */
  readonly downgraded?: readonly string[]
  readonly findings: readonly Finding[]
}

/** The bytes and exit code for one host. Written whole or not at all. */
export interface Reply {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

export function isFailure(value: Answer | Failure | null): value is Failure {
  return value !== null && 'failure' in value
}
