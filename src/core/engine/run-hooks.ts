import type { Actor, KnownAgent } from '../actor.ts'
import type { Answer, Failure, Finding } from '../decision.ts'
import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { Runner } from '../handler.ts'
import type { Hook } from '../hook.ts'
import type { JsonObject } from '../json.ts'
import type { FindHooks } from '../match/match.ts'
import { andThen } from '../maybe-async.ts'
import { crash, HookExecution } from './hook-execution.ts'
import { type KnownAnswers, type WatchedCall, wasAsked } from './known-answers.ts'
import type { TopicIndex } from './topic-index.ts'

/** A plan that is ready to run: one runner (or the failure to prepare it) for each hook. */
export interface Engine {
  readonly hooks: readonly Hook[]
  readonly match: FindHooks
  readonly runners: readonly (Runner | Failure)[]
  /** Those of the hooks that an event can concern. Missing: every hook is asked. */
  readonly concerned?: TopicIndex
  /** What pure hooks need not be asked again. Missing: all are asked about every call. */
  readonly knownAnswers?: KnownAnswers
  /** Every hook is pure. */
  readonly isPure?: boolean
}

export interface RunContext {
  readonly actor: Actor
  readonly facts: Facts
  readonly memory: JsonObject | undefined
  /** All agents of the session, in order of their first event. Missing: the state could not be read. */
  readonly agents?: (() => readonly KnownAgent[]) | undefined
  /** The time that all handlers of this event share. */
  readonly budgetMs: number
  /** A monotonic clock in milliseconds. */
  now(): number
  /** The call, as pure hooks see it. Missing: they see it as all others do. */
  readonly watched?: WatchedCall | undefined
  /** Called for every run, including an empty pass. For `explain`. */
  readonly trace?: Trace | undefined
}

export type Trace = (hookIndex: number, outcome: Answer | Failure | null, durationMs: number) => void

/** One pass over hooks: their shared input, and their deadline. */
export interface HookRound {
  readonly engine: Engine
  readonly around: RunContext
  readonly endsMs: number
}

/** Runs each of these hooks on one input, in parallel. Sync as long as no handler returns a promise. */
export function runHooks(
  round: HookRound,
  hookIndexes: readonly number[],
  event: Event,
): readonly Finding[] | Promise<readonly Finding[]> {
  const { hooks, runners } = round.engine
  const { watched, facts } = round.around
  const findings: Finding[] = []
  let pending: Pending[] | undefined
  let spare: HookExecution | undefined
  watched?.ask(hookIndexes, event)
  const all: SeenCall = { event, facts }
  const pure = watched?.event === event ? watched : undefined
  for (const hookIndex of concerned(round, hookIndexes, pure ?? all)) {
    const hook = hooks[hookIndex]
    const runner = runners[hookIndex]
    if (hook === undefined) continue
    const isPure = typeof runner === 'function' && runner.isPure === true
    if (isPure && pure?.known !== undefined && wasAsked(pure.known, hookIndexes, hookIndex)) {
      const known = pure.known.findings.get(hookIndex)
      if (known !== undefined) findings.push(known)
      continue
    }
    const seen = isPure && pure !== undefined ? pure : all
    if (isUnconcerned(round, hookIndex, runner, seen)) continue
    const reused = isPure ? spare?.reuseFor(hook, hookIndex) : undefined
    const run: HookExecution = reused ?? new HookExecution(round, seen, hook, hookIndex)
    const outcome = run.start()
    if (outcome instanceof Promise) {
      pending ??= []
      pending.push({ run, outcome })
      if (run === spare) spare = undefined
    } else {
      const finding = run.settle(outcome)
      if (finding !== null) findings.push(finding)
      // A pure hook keeps nothing of it.
      if (isPure) spare = run
    }
  }
  const found = pending === undefined ? findings : awaitAll(round, pending, findings)
  return pure === undefined ? found : andThen(found, (each) => noted(round, pure, each))
}

/** Those of the hooks that can have an answer. A trace names all of them. */
function concerned(
  { engine, around }: HookRound,
  hookIndexes: readonly number[],
  // The same objects as pure hooks get: what follows from them is computed once.
  { event, facts, known }: SeenCall & Pick<Partial<WatchedCall>, 'known'>,
): readonly number[] {
  if (engine.concerned === undefined || around.trace !== undefined || known !== undefined) return hookIndexes
  try {
    return engine.concerned(hookIndexes, event, facts)
  } catch {
    // Each hook fails on it by itself, as its policy says.
    return hookIndexes
  }
}

function noted(
  { engine }: HookRound,
  watched: WatchedCall,
  findings: readonly Finding[],
): readonly Finding[] {
  for (const finding of findings) {
    const { hookIndex = -1 } = finding
    const runner = engine.runners[hookIndex]
    if (typeof runner === 'function' && runner.isPure === true) watched.note(hookIndex, finding)
  }
  return findings
}

/** What one hook gets to see. */
export interface SeenCall {
  readonly event: Event
  readonly facts: Facts
}

/** Most guards do not apply to most events. Checking that first avoids creating a run. */
function isUnconcerned(
  { around }: HookRound,
  hookIndex: number,
  runner: Runner | Failure | undefined,
  { event, facts }: SeenCall,
): boolean {
  if (typeof runner !== 'function' || runner.concerns === undefined) return false
  const startedMs = around.trace === undefined ? 0 : around.now()
  try {
    if (runner.concerns(event, facts)) return false
  } catch {
    return false
  }
  around.trace?.(hookIndex, null, around.now() - startedMs)
  return true
}

interface Pending {
  readonly run: HookExecution
  readonly outcome: Promise<Answer | Failure | null>
}

/**
 * Waits for every pending run with one timer, always the nearest deadline. The timer is ref'd on purpose: with an
 * unref'd one, a hanging handler lets the process end with exit code 0 and no output, which hosts read as "continue".
 */
function awaitAll(
  round: HookRound,
  pending: readonly Pending[],
  findings: Finding[],
): Promise<readonly Finding[]> {
  return new Promise((resolve) => {
    const open = new Set<HookExecution>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const close = (run: HookExecution, outcome: Answer | Failure | null) => {
      if (!open.delete(run)) return
      const finding = run.settle(outcome)
      if (finding !== null) findings.push(finding)
      if (open.size > 0) return
      clearTimeout(timer)
      resolve(findings)
    }
    const take = (run: HookExecution, outcome: Answer | Failure | null) => {
      if (!open.has(run)) return
      const accepted = run.accept(outcome)
      if (accepted instanceof Promise) wait(run, accepted)
      else close(run, accepted)
    }
    const wait = (run: HookExecution, outcome: Promise<Answer | Failure | null>) => {
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
        // The abort signal comes first: a handler that already has a complete answer may still return it.
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

/** A longer timer would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1
