import type { Actor } from '../actor.ts'
import type { Answer, Failure } from '../decision.ts'
import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { Hook } from '../hook.ts'
import type { JsonObject } from '../json.ts'

/** A way to run a hook. `prepare` is called once per plan, the runner once per matching event. */
export interface Handler {
  readonly type: string
  /** How long one run may take unless the hook says otherwise. */
  readonly timeoutMs: number
  /** A hook that cannot be prepared yields a failure (`import`), which its `onFailure` turns into an effect. */
  prepare(hook: Hook): Runner | Failure | Promise<Runner | Failure>
}

/**
 * Runs one hook on one event. Stays sync when it can. `null` is an empty pass. It may throw: that is a `crash`.
 * It must stop on `call.signal` and leave no process behind.
 */
export type Runner = (call: Call) => Answer | Failure | null | Promise<Answer | Failure | null>

export interface Call {
  readonly event: Event
  readonly actor: Actor
  readonly facts: Facts
  /** What earlier events of this actor made hooks remember. Undefined: the state could not be read. */
  readonly memory: JsonObject | undefined
  /** What is left for this run, already cut to the event's budget. */
  readonly timeoutMs: number
  /** Aborted at the deadline. Reading it costs; sync handlers should not. */
  readonly signal: AbortSignal
}
