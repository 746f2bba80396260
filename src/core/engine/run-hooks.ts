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
  const findings: Finding[] = []
  let pending: Pending[] | undefined
  round.around.watched?.ask(hookIndexes, event)
  for (const hookIndex of concerned(round, hookIndexes, event)) {
    const hook = round.engine.hooks[hookIndex]
    if (hook === undefined) continue
    const watched = watchedFor(round, hookIndex, event)
    if (watched?.known !== undefined && wasAsked(watched.known, hookIndexes, hookIndex)) {
      const known = watched.known.findings.get(hookIndex)
      if (known !== undefined) findings.push(known)
      continue
    }
    const seen = watched ?? { event, facts: round.around.facts }
    if (isUnconcerned(round, hookIndex, seen)) continue
    const run = new HookExecution(round, hook, hookIndex, seen)
    const outcome = run.start()
    if (outcome instanceof Promise) {
      pending ??= []
      pending.push({ run, outcome })
    } else {
      const finding = run.settle(outcome)
      if (finding !== null) findings.push(finding)
    }
  }
  const all = pending === undefined ? findings : awaitAll(round, pending, findings)
  return round.around.watched === undefined ? all : andThen(all, (each) => noted(round, event, each))
}

/** Those of the hooks that can have an answer. A trace names all of them. */
function concerned(
  { engine, around }: HookRound,
  hookIndexes: readonly number[],
  event: Event,
): readonly number[] {
  const { watched, trace } = around
  // The same objects as pure hooks get: what follows from them is computed once.
  const seen = watched?.event === event ? watched : { event, facts: around.facts, known: undefined }
  if (engine.concerned === undefined || trace !== undefined || seen.known !== undefined) return hookIndexes
  try {
    return engine.concerned(hookIndexes, seen.event, seen.facts)
  } catch {
    // Each hook fails on it by itself, as its policy says.
    return hookIndexes
  }
}

/** The watched call is for pure hooks, as long as no hook has changed the call. */
function watchedFor({ engine, around }: HookRound, hookIndex: number, event: Event): WatchedCall | undefined {
  if (around.watched?.event !== event) return undefined
  const runner = engine.runners[hookIndex]
  return typeof runner === 'function' && runner.isPure === true ? around.watched : undefined
}

function noted(round: HookRound, event: Event, findings: readonly Finding[]): readonly Finding[] {
  for (const finding of findings) {
    const { hookIndex = -1 } = finding
    watchedFor(round, hookIndex, event)?.note(hookIndex, finding)
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
  { engine, around }: HookRound,
  hookIndex: number,
  { event, facts }: SeenCall,
): boolean {
  const runner = engine.runners[hookIndex]
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
