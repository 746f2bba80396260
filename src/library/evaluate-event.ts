import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { decideEvent, type EventContext } from '../app/decide-event.ts'
import { lastResortOf } from '../core/deadlines.ts'
import type { Problem, Result } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import { andThen } from '../core/maybe-async.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import { ownEnvironment } from '../system/environment.ts'
import { systemHome } from '../system/home.ts'
import { findProject } from '../system/project.ts'
import { factsMaker } from './event-facts.ts'
import { eventKindOf, readEvent } from './hook-event.ts'
import { type HookResult, hookResult, refusedEvent } from './hook-result.ts'
import type { Base } from './load.ts'
import type { RuntimeOptions } from './options.ts'
import type { EngineMaker } from './registered-engine.ts'
import type { RegistryEntry } from './registry.ts'
import type { Tracer } from './trace.ts'

/** What does not change while a runtime exists. */
type RuntimeSettings = ReturnType<typeof runtimeSettings>

export function runtimeSettings(options: RuntimeOptions) {
  const env = { ...(options.env ?? ownEnvironment()) }
  const cwd = resolve(options.cwd ?? '')
  const home = env.HOME || systemHome()
  return {
    cwd,
    session: options.session || `runtime-${randomUUID()}`,
    state: options.state ?? createMemoryState(),
    facts: factsMaker({ cwd, home, project: findProject(cwd), env }),
    tools: { hasNoExceptions: true },
    now: options.now ?? (() => performance.now()),
    budgetMs: options.budgetMs,
  }
}

/** What one event is evaluated with, fixed when the event arrives. */
export interface Evaluation {
  readonly settings: RuntimeSettings
  readonly base: Result<Base> | Promise<Result<Base>>
  readonly registered: readonly RegistryEntry[]
  readonly engineNow: EngineMaker
  readonly trace: Tracer | undefined
}

/** Evaluates one event of the program. Never throws: an event that cannot be read gets its last resort. */
export function evaluateEvent(given: unknown, evaluation: Evaluation): HookResult | Promise<HookResult> {
  try {
    const result = evaluated(given, evaluation)
    return result instanceof Promise ? result.catch((error: unknown) => broken(given, error)) : result
  } catch (error) {
    return broken(given, error)
  }
}

function evaluated(given: unknown, evaluation: Evaluation): HookResult | Promise<HookResult> {
  const read = readEvent(given, evaluation.settings)
  if (!read.ok) return refusedEvent(lastResortOf(eventKindOf(given)), read.problem)
  const event = read.value
  return andThen(evaluation.base, (base) =>
    base.ok ? decided(event, evaluation, base.value) : refusedEvent(lastResortOf(event.kind), base.problem),
  )
}

function decided(event: Event, evaluation: Evaluation, base: Base): HookResult | Promise<HookResult> {
  const { settings, trace } = evaluation
  const { maskers, stopBlocksMax } = base
  const engine = evaluation.engineNow(base.engine, evaluation.registered)
  const context: EventContext = {
    engine,
    state: settings.state,
    facts: settings.facts(event.cwd),
    maskers,
    stopBlocksMax,
    now: settings.now,
    budgetMs: settings.budgetMs,
    trace: trace?.(event, engine.hooks),
  }
  return andThen(decideEvent(event, context), ({ decision }) => hookResult(decision, event, maskers))
}

/** If packs or files could not be loaded, nothing may be decided without them. */
export function failedLoad(error: unknown): Result<never> {
  return { ok: false, problem: internal(error) }
}

/** The answer if the caller cannot wait for the promise of a hook. */
export function notInTime(given: unknown): HookResult {
  const message = 'A hook returned a promise, or packs and files are still being loaded.'
  const fix = 'Use `await runtime.evaluate(event)`, or `await runtime.ready()` before.'
  return refusedEvent(lastResortOf(eventKindOf(given)), { code: 'NOT_SYNCHRONOUS', message, fix })
}

/** The answer if Holdpoint itself failed, or the event throws when it is read. */
function broken(given: unknown, error: unknown): HookResult {
  try {
    return refusedEvent(lastResortOf(eventKindOf(given)), internal(error))
  } catch {
    return refusedEvent('deny', internal(error))
  }
}

function internal(error: unknown): Problem {
  const why = error instanceof Error ? error.message : String(error)
  return { code: 'INTERNAL', message: `Holdpoint itself failed: ${why}.` }
}
