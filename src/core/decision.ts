import type { Approval } from './approval.ts'
import type { FailureKind } from './hook.ts'
import type { Json, JsonObject } from './json.ts'

/** `pass` means no opinion. `allow` skips the host's own permission prompt and needs a hook with `grants: true`. */
export type Effect = 'pass' | 'allow' | 'ask' | 'deny'

/** From least to most strict. */
export const EFFECTS: readonly Effect[] = ['pass', 'allow', 'ask', 'deny']

export function stricter(a: Effect, b: Effect): Effect {
  return EFFECTS.indexOf(a) >= EFFECTS.indexOf(b) ? a : b
}

/** Text for an agent. Text for a different actor waits in the inbox of that actor. */
export interface Context {
  readonly text: string
  readonly to: 'self' | 'parent' | 'main'
  /** How an embedding program should deliver it. Hosts with only one way ignore it. */
  readonly strategy?: 'tool_result' | 'user_message'
}

/** One change to the session's state. The runtime applies it; a guard never does. */
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
 * A file for people to read, relative to the project. It is masked, and written whatever the decision is. If it cannot
 * be written, that is not an error. `append`: add a line. `replace`: the whole file. `create`: only if it does not exist.
 * `log`: a line in the log with this name, which is kept with the state and, on request, also in /tmp.
 */
export type Note =
  | { readonly kind: 'append' | 'replace'; readonly path: string; readonly json: JsonObject }
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'log'; readonly path: string; readonly text: string; readonly inTmp?: boolean }

/** The answer of a hook. Everything except the effect is optional. An empty pass is returned as `null`. */
export interface Answer {
  readonly effect: Effect
  /** For the agent: what was blocked, why, and what to do instead. */
  readonly reason?: string
  /** For the person who is asked, instead of the reason, if the host asks. */
  readonly question?: string
  /** For the person, if a question became a deny: how to allow it. */
  readonly ifDenied?: string
  /** The guard or rule inside the hook that answered, if the hook has several. */
  readonly guard?: string
  readonly context?: readonly Context[]
  /** For the user. */
  readonly notices?: readonly string[]
  /** The complete new tool input. */
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
  /** Its position in the plan, which sets the order of reasons. Missing: Holdpoint itself added this, after all hooks. */
  readonly hookIndex?: number
  /** 2: the hook ran a second time, after an undeclared rewrite. */
  readonly round?: 2
  readonly failed?: Failure
  readonly durationMs?: number
}

export interface Reason {
  readonly hook: string
  readonly guard?: string
  /** For the agent. */
  readonly text: string
  /** For the person who is asked. */
  readonly question?: string
  readonly ifDenied?: string
}

/** All findings combined. */
export interface Decision {
  readonly effect: Effect
  /** Reasons of the deciding findings, in plan order. If there are many, those that are only possible are counted. */
  readonly reasons: readonly Reason[]
  readonly context: readonly Context[]
  readonly notices: readonly string[]
  readonly rewrite?: JsonObject
  readonly output?: Json
  readonly halt?: string
  /** The hooks whose effect is the decision's. Empty for pass. */
  readonly because: readonly string[]
  readonly failed: readonly { readonly hook: string; readonly failure: Failure; readonly became: Effect }[]
  /** Parts of the decision that the host cannot express, and what replaced them. */
  readonly downgraded?: readonly string[]
  readonly findings: readonly Finding[]
  /** How a person answered, if one was asked by Holdpoint itself. */
  readonly approval?: Approval
}

/** The bytes and exit code for one host. Written completely or not at all. */
export interface Reply {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

export function isFailure(value: Answer | Failure | null): value is Failure {
  return value !== null && 'failure' in value
}
