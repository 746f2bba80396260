import { type Answer, type Effect, type Failure, isFailure } from '../decision.ts'
import type { Event, EventKind } from '../event.ts'
import type { FailureKind, Hook } from '../hook.ts'
import type { Trace } from '../judge.ts'

/** One run of one hook, as a listener is told of it. */
export interface HookRun {
  readonly hook: string
  readonly kind: EventKind
  readonly session: string
  readonly agent?: string
  /** What the hook itself said; `pass` also where it had no opinion. Failures are named by their kind. */
  readonly outcome: Effect | FailureKind
  /** Why it failed, or its reason. */
  readonly message?: string
  readonly durationMs: number
}

type Listener = (run: HookRun) => void
export type Tracer = (event: Event, hooks: readonly Hook[]) => Trace

/** Undefined where nobody listens: then no clock is read. Who listens is settled when the event comes. */
export function tracer(listeners: ReadonlySet<Listener>): Tracer | undefined {
  if (listeners.size === 0) return undefined
  const told = [...listeners]
  return (event, hooks) => (order, outcome, durationMs) => {
    const run = runOf(event, hooks[order]?.id ?? '', outcome, durationMs)
    for (const listener of told) {
      try {
        listener(run)
      } catch {
        // Whoever watches must not be able to change a decision.
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
