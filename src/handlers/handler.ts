import type { Actor, KnownAgent } from '../actor.ts'
import type { Answer, Failure } from '../decision.ts'
import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { Hook } from '../hook.ts'
import type { JsonObject } from '../json.ts'
import type { Guard } from '../packs/guard.ts'

/** What handlers are made with; a handler never reaches for a table itself. */
export interface HandlerTools {
  guard(id: string): Guard | undefined
  callable(name: string): Callable | undefined
  /** Where programs are looked for, given what the caller's environment says. */
  searchPath(callers: string | undefined): string | undefined
  /** Nobody reads exceptions here, so nobody is told how to make one. */
  readonly hasNoExceptions?: boolean
}

/** A function of the embedding program. It may answer in any dialect `answer.ts` understands, or with nothing. */
export type Callable = (event: Event, call: Call) => unknown

/** A way to run a hook. `prepare` is called once per plan, the runner once per matching event. */
export interface Handler {
  readonly type: string
  /** A hook that cannot be prepared yields a failure (`import`), which its `onFailure` turns into an effect. */
  prepare(hook: Hook): Runner | Failure | Promise<Runner | Failure>
}

/**
 * Runs one hook on one event. Stays sync when it can. `null` is an empty pass. It may throw: that is a `crash`.
 * It must stop on `call.signal` and leave no process behind.
 */
export interface Runner {
  (call: Call): Answer | Failure | null | Promise<Answer | Failure | null>
  /** False: it would return null for this event, and need not be called. What throws here is called. */
  concerns?(event: Event, facts: Facts): boolean
}

export interface Call {
  readonly event: Event
  readonly actor: Actor
  readonly facts: Facts
  /** What earlier events of this actor made hooks remember. Undefined: the state could not be read. */
  readonly memory: JsonObject | undefined
  /** All agents of the session, in the order they were met. Undefined: the state could not be read. */
  agents?(): readonly KnownAgent[] | undefined
  /** What is left for this run, already cut to the event's budget. */
  readonly timeoutMs: number
  /** Aborted at the deadline. Reading it costs; sync handlers should not. */
  readonly signal: AbortSignal
}
