import { type Answer, type Effect, type Failure, isFailure } from '../core/decision.ts'
import type { Trace } from '../core/engine/run-hooks.ts'
import type { Event, EventKind } from '../core/event.ts'
import type { FailureKind, Hook } from '../core/hook.ts'

/** One run of one hook, as a listener gets it. */
export interface HookRun {
  readonly hook: string
  readonly kind: EventKind
  readonly session: string
  readonly agent?: string
  /** The hook's own answer; `pass` also if it had no opinion. Failures have the name of their kind. */
  readonly outcome: Effect | FailureKind
  /** Why it failed, or its reason. */
  readonly message?: string
  readonly durationMs: number
}

type Listener = (run: HookRun) => void
export type Tracer = (event: Event, hooks: readonly Hook[]) => Trace

/**
 * Undefined if there is no listener: then the clock is not read. The listeners are fixed when the event arrives.
 */
export function tracer(listeners: ReadonlySet<Listener>): Tracer | undefined {
  if (listeners.size === 0) return undefined
  const told = [...listeners]
  return (event, hooks) => (hookIndex, outcome, durationMs) => {
    const run = runOf(event, hooks[hookIndex]?.id ?? '', outcome, durationMs)
    for (const listener of told) {
      try {
        listener(run)
      } catch {
        // A listener must not be able to change a decision.
      }
    }
  }
}

function runOf(event: Event, hook: string, outcome: Answer | Failure | null, durationMs: number): HookRun {
  const message = outcome === null ? undefined : isFailure(outcome) ? outcome.message : outcome.reason
  return Object.freeze({
    hook,
    kind: event.kind,
    session: event.session,
    ...(event.agentId === undefined ? {} : { agent: event.agentId }),
    outcome: outcome === null ? 'pass' : isFailure(outcome) ? outcome.failure : outcome.effect,
    ...(message === undefined ? {} : { message }),
    durationMs,
  })
}
