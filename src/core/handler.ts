import type { Actor, KnownAgent } from './actor.ts'
import type { Answer, Failure } from './decision.ts'
import type { Event } from './event.ts'
import type { Facts } from './facts.ts'
import type { Guard, Topics } from './guard.ts'
import type { Hook } from './hook.ts'
import type { JsonObject } from './json.ts'

/** The dependencies of handlers. A handler never imports a table itself. */
export interface HandlerTools {
  guard(id: string): Guard | undefined
  /** Whether it is one of Holdpoint's own, which are pure. */
  isBuiltIn?(id: string): boolean
  callable(name: string): Callable | undefined
  /** The folders to search for programs, given the caller's environment. */
  searchPath(callers: string | undefined): string | undefined
  /** Exceptions are not read here, so messages do not explain how to make one. */
  readonly hasNoExceptions?: boolean
}

/** A function of the embedding program. It may return any form that `read-answer.ts` reads, or nothing. */
export type Callable = (event: Event, call: HandlerCall) => unknown

/** A way to run a hook. `prepare` is called once for each plan, the runner once for each matching event. */
export interface Handler {
  readonly type: string
  /** A hook that cannot be prepared yields a failure (`import`), which its `onFailure` turns into an effect. */
  prepare(hook: Hook): Runner | Failure | Promise<Runner | Failure>
}

/**
 * Runs one hook on one event. Stays sync if it can. `null` is an empty pass. It may throw: that is a `crash`.
 * It must stop on `call.signal` and leave no process behind.
 */
export interface Runner {
  (call: HandlerCall): Answer | Failure | null | Promise<Answer | Failure | null>
  /** False: it would return null for this event, so it is not called. If this throws, the runner is called. */
  concerns?(event: Event, facts: Facts): boolean
  /** It would return null for an event without any of these topics. Missing: it may answer any event. */
  topics?: readonly Topics[]
  /** The answer follows from the event, the actor, the facts and the memory alone, and nothing else is changed or kept. */
  isPure?: boolean
}

export interface HandlerCall {
  readonly event: Event
  readonly actor: Actor
  readonly facts: Facts
  /** What hooks remembered at earlier events of this actor. Undefined: the state could not be read. */
  readonly memory: JsonObject | undefined
  /** All agents of the session, in order of their first event. Undefined: the state could not be read. */
  agents?(): readonly KnownAgent[] | undefined
  /** The time left for this run, already cut to the event's time. */
  readonly timeoutMs: number
  /** Aborted at the deadline. Created when it is first read, so sync handlers should not read it. */
  readonly signal: AbortSignal
  /** Calls this at the deadline. Like the signal, but without the cost of one. Missing: there is only the signal. */
  onStop?(stop: () => void): void
}

/** Takes what is to be done at the deadline of a call. */
export type OnStop = (stop: () => void) => void

export function onStopOf(call: Pick<HandlerCall, 'signal' | 'onStop'>): OnStop {
  return (stop) => {
    if (call.onStop !== undefined) call.onStop(stop)
    else if (call.signal.aborted) stop()
    else call.signal.addEventListener('abort', stop, { once: true })
  }
}
