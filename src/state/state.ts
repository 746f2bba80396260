import type { Context, Patch } from '../decision.ts'
import type { Result } from '../errors.ts'
import type { JsonObject } from '../json.ts'

/**
 * What must survive between two events of a session. One append-only log of commits per session, folded on read.
 * No locks: a commit that was decided on an outdated version of its actor is void, and its writer learns that by
 * reading back. Guards never see this; they get `memory` and return patches.
 */
export interface StateStore {
  /** The folded state; an unknown session is empty. */
  read(session: string): Result<SessionState>
  /** Appends one commit, reads back, and says whether it took effect. */
  commit(session: string, commit: Commit): Result<{ readonly applied: boolean; readonly state: SessionState }>
}

export interface SessionState {
  readonly actors: ReadonlyMap<string, ActorState>
  /** Decisions kept for a second delivery, by commit key. */
  readonly recorded: ReadonlyMap<string, JsonObject>
  /** Calls let through whose sub-agent has not started yet, oldest first. A skill may, or may not, run in one. */
  readonly spawns: readonly Spawn[]
  /** True when a part of the log could not be read: what it said is unknown. */
  readonly damaged: boolean
}

export interface ActorState {
  readonly type?: string
  readonly parent?: string
  readonly skills: readonly string[]
  readonly inbox: readonly Letter[]
  readonly memory: JsonObject
  /** Counts the commits applied to this actor; the base of optimistic commits. */
  readonly version: number
  readonly ended: boolean
}

export interface Letter {
  readonly id: string
  readonly context: Context
}

export interface Spawn {
  readonly by: string
  /** Empty: any. */
  readonly type: string
  /** What the sub-agent would run with, if it is a fork of this skill. */
  readonly skill?: string
}

export interface Commit {
  /** Identifies the delivery; a second commit with the same key is void. */
  readonly key?: string
  /** The actor version the decision was made on; void when it has moved. Missing: applies to any version. */
  readonly base?: number
  /** The actor the changes are about: `main` or the agent id. */
  readonly agent: string
  readonly changes: readonly Change[]
  /** The decision, for a second delivery. */
  readonly recorded?: JsonObject
  /** Unique, so that the writer finds its own line again. */
  readonly nonce: string
  readonly atMs: number
}

export type Change =
  | { readonly do: 'patch'; readonly patch: Patch }
  | { readonly do: 'skill'; readonly name: string; readonly active: boolean }
  /** The actor started, or told us its type or parent. */
  | { readonly do: 'agent'; readonly type?: string; readonly parent?: string }
  /** Another actor turned out to be a child of `parent`. */
  | { readonly do: 'parent'; readonly of: string; readonly parent: string; readonly type?: string }
  /** The sub-agent finished for good: its skills end. */
  | { readonly do: 'end' }
  /** A cleared conversation: every actor's skills, inbox and memory go. */
  | { readonly do: 'clear' }
  | { readonly do: 'send'; readonly to: string; readonly letter: Letter }
  | { readonly do: 'deliver'; readonly ids: readonly string[] }
  /** An Agent call was let through, or a skill begins that may run in a fork. */
  | { readonly do: 'spawn'; readonly type: string; readonly skill?: string }
  /** A sub-agent of this type started: the oldest matching spawn is used up. With `skill`: no fork of it is to come. */
  | { readonly do: 'spawned'; readonly type: string; readonly skill?: string }
