import type { Context, Patch } from '../decision.ts'
import type { Result } from '../errors.ts'
import type { JsonObject } from '../json.ts'

/**
 * The state that is kept between two events of a session: one append-only log of commits per session, folded on read.
 * No locks: a commit that was decided on an outdated version of its actor is void, and its writer notices that by
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
  /** Allowed calls whose sub-agent has not started yet, oldest first. A skill may run in one or not. */
  readonly spawns: readonly Spawn[]
  /** True if a part of the log could not be read, so that its content is unknown. */
  readonly damaged: boolean
}

export interface ActorState {
  readonly type?: string
  readonly parent?: string
  readonly skills: readonly string[]
  readonly inbox: readonly InboxMessage[]
  readonly memory: JsonObject
  /** Counts the commits applied to this actor; the base of optimistic commits. */
  readonly version: number
  readonly ended: boolean
}

export interface InboxMessage {
  readonly id: string
  readonly context: Context
}

export interface Spawn {
  readonly by: string
  /** Empty: any. */
  readonly type: string
  /** The skill that the sub-agent runs with, if it is a fork of this skill. */
  readonly skill?: string
}

export interface Commit {
  /** Identifies the delivery; a second commit with the same key is void. */
  readonly key?: string
  /** The actor version that the decision was based on. Void if it has changed. Missing: applies to any version. */
  readonly base?: number
  /** The actor the changes are about: `main` or the agent id. */
  readonly agent: string
  readonly changes: readonly StateChange[]
  /** The decision, for a second delivery. */
  readonly recorded?: JsonObject
  /** Unique, so that the writer finds its own line again. */
  readonly nonce: string
  readonly atMs: number
}

export type StateChange =
  | { readonly kind: 'patch'; readonly patch: Patch }
  | { readonly kind: 'skill'; readonly name: string; readonly active: boolean }
  /** The actor started, or its type or parent became known. */
  | { readonly kind: 'agent'; readonly type?: string; readonly parent?: string }
  /** Another actor is a child of `parent`. */
  | { readonly kind: 'parent'; readonly of: string; readonly parent: string; readonly type?: string }
  /** The sub-agent finished for good: its skills end. */
  | { readonly kind: 'end' }
  /** A cleared conversation: the skills, inbox and memory of every actor are removed. */
  | { readonly kind: 'clear' }
  | { readonly kind: 'send'; readonly to: string; readonly letter: InboxMessage }
  | { readonly kind: 'deliver'; readonly ids: readonly string[] }
  /** An Agent call was allowed, or a skill begins that may run in a fork. */
  | { readonly kind: 'spawn'; readonly type: string; readonly skill?: string }
  /** A sub-agent of this type started: the oldest matching spawn is used. With `skill`: no fork of it will follow. */
  | { readonly kind: 'spawned'; readonly type: string; readonly skill?: string }
