import type { Actor, KnownAgent } from './actor.ts'
import type { Answer, Failure, Finding } from './decision.ts'
import type { Event } from './event.ts'
import type { Facts } from './facts.ts'
import type { Runner } from './handlers/handler.ts'
import type { Hook } from './hook.ts'
import type { JsonObject } from './json.ts'
import type { Matcher } from './match.ts'
import { crash, Run } from './run.ts'

/** A plan made ready to run: one runner (or the failure to prepare it) per hook. */
export interface Engine {
  readonly hooks: readonly Hook[]
  readonly match: Matcher
  readonly runners: readonly (Runner | Failure)[]
}

export interface Surroundings {
  readonly actor: Actor
  readonly facts: Facts
  readonly memory: JsonObject | undefined
  /** All agents of the session, in the order they were met. Missing: the state could not be read. */
  readonly agents?: (() => readonly KnownAgent[]) | undefined
  /** What all handlers of this event share. */
  readonly budgetMs: number
  /** A monotonic clock in milliseconds. */
  now(): number
  /** Told of every run, an empty pass included. For `explain`. */
  readonly trace?: Trace | undefined
}

export type Trace = (order: number, outcome: Answer | Failure | null, durationMs: number) => void

/** One pass over hooks: what they share, and when their time is up. */
export interface Round {
  readonly engine: Engine
  readonly around: Surroundings
  readonly endsMs: number
}

/** Every hook of these on one input, side by side. Sync as long as no handler returns a promise. */
export function judge(
  round: Round,
  orders: readonly number[],
  event: Event,
): readonly Finding[] | Promise<readonly Finding[]> {
  const findings: Finding[] = []
  let pending: Pending[] | undefined
  for (const order of orders) {
    const hook = round.engine.hooks[order]
    if (hook === undefined) continue
    if (isUnconcerned(round, order, event)) continue
    const run = new Run(round, hook, order, event)
    const outcome = run.start()
    if (outcome instanceof Promise) {
      pending ??= []
      pending.push({ run, outcome })
    } else {
      const finding = run.settle(outcome)
      if (finding !== null) findings.push(finding)
    }
  }
  return pending === undefined ? findings : awaitAll(round, pending, findings)
}

/** Most guards have nothing to say about most events; asking them first spares a run each. */
function isUnconcerned({ engine, around }: Round, order: number, event: Event): boolean {
  const runner = engine.runners[order]
  if (typeof runner !== 'function' || runner.concerns === undefined) return false
  const startedMs = around.trace === undefined ? 0 : around.now()
  try {
    if (runner.concerns(event, around.facts)) return false
  } catch {
    return false
  }
  around.trace?.(order, null, around.now() - startedMs)
  return true
}

interface Pending {
  readonly run: Run
  readonly outcome: Promise<Answer | Failure | null>
}

/**
 * Waits for every pending run with one timer, always the nearest deadline. The timer is ref'd on purpose: with an
 * unref'd one a hung handler lets the process end with exit 0 and no output, which hosts read as "go".
 */
function awaitAll(
  round: Round,
  pending: readonly Pending[],
  findings: Finding[],
): Promise<readonly Finding[]> {
  return new Promise((resolve) => {
    const open = new Set<Run>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const close = (run: Run, outcome: Answer | Failure | null) => {
      if (!open.delete(run)) return
      const finding = run.settle(outcome)
      if (finding !== null) findings.push(finding)
      if (open.size > 0) return
      clearTimeout(timer)
      resolve(findings)
    }
    const take = (run: Run, outcome: Answer | Failure | null) => {
      if (!open.has(run)) return
      const accepted = run.accept(outcome)
      if (accepted instanceof Promise) wait(run, accepted)
      else close(run, accepted)
    }
    const wait = (run: Run, outcome: Promise<Answer | Failure | null>) => {
      outcome.then(
        (settled) => take(run, settled),
        (error: unknown) => take(run, crash(error)),
      )
    }
    const arm = (nowMs: number) => {
      let nearestMs = Number.POSITIVE_INFINITY
      for (const run of open) nearestMs = Math.min(nearestMs, run.deadlineMs)
      timer = setTimeout(expire, Math.min(Math.max(0, nearestMs - nowMs), TIMER_MAX_MS))
    }
    const expire = () => {
      const nowMs = round.around.now()
      for (const run of [...open]) {
        if (run.deadlineMs > nowMs) continue
        // Told to stop first: a handler that holds a complete answer may still hand it over.
        if (!run.stop()) close(run, run.timedOut())
      }
      if (open.size > 0) arm(nowMs)
    }
    const nowMs = round.around.now()
    for (const { run, outcome } of pending) {
      open.add(run)
      run.begin(nowMs)
      wait(run, outcome)
    }
    arm(nowMs)
  })
}

/** A timer for longer fires at once. */
const TIMER_MAX_MS = 2 ** 31 - 1
