import { BUILD_ID } from '../core/build-id.ts'
import { createKnownAnswers } from '../core/engine/known-answers.ts'
import type { Engine } from '../core/engine/run-hooks.ts'
import { bad, type Problem, type Result } from '../core/errors.ts'
import type { Callable } from '../core/handler.ts'
import type { MaybePromise } from '../core/maybe-async.ts'
import type { Plan } from '../core/plan/plan.ts'
import type { Masker } from '../core/redact/redact.ts'
import { searchPath } from '../system/environment.ts'
import { isOlder, stampOf } from '../system/file-stamp.ts'
import type { Home } from '../system/home.ts'
import {
  type CachedPlan,
  isPlanFresh,
  planCachePath,
  readCachedPlan,
  watchPlan,
  writeCachedPlan,
} from '../system/plan-cache.ts'
import { createEngine, maskersOf } from './create-engine.ts'

/** The configuration that a plan is made from. */
export interface PlanOptions {
  readonly home: Home
  /** Used instead of the configuration that is found. */
  readonly config?: string
  readonly packs?: readonly string[]
  /**
   * Packs of the skills that the caller names. Added unless the configuration has them, or has others
   * instead.
   */
  readonly skillPacks?: readonly string[]
  readonly callables?: ReadonlyMap<string, Callable>
  /** For a process that decides many events: built-in guards are not asked about the same call again. */
  readonly keepsAnswers?: boolean
  /** Used so rarely that no cache file is written. */
  readonly uncached?: boolean
}

export interface LoadedPlan {
  readonly plan: Plan
  readonly engine: Engine
  readonly maskers: readonly Masker[]
  /** Configuration files that are broken now; `plan` is then the last good one. */
  readonly broken: readonly Problem[]
  /** Files whose imports do not count, because a person has not trusted them. Missing: there are none. */
  readonly ignoredImports?: readonly string[]
}

/** Plans in use, by project. Kept by processes that live longer than one event. */
export type LoadedPlans = Map<string, { readonly isFresh: () => boolean; readonly value: LoadedPlan }>

/** More projects than one person works on at a time. */
const LOADED_MAX = 64

/**
 * The plan of a project, ready to run. It comes from the cache if no file has changed; otherwise it is
 * compiled again. If a file is broken, the last good plan is used. If there never was one, there is no plan,
 * and events that can be stopped are denied.
 */
export function loadPlan(
  project: string,
  options: PlanOptions,
  loaded: LoadedPlans,
): MaybePromise<Result<LoadedPlan>> {
  const active = loaded.get(project)
  if (active?.isFresh() === true) return { ok: true, value: active.value }
  return loadAgain(project, options, loaded)
}

async function loadAgain(
  project: string,
  options: PlanOptions,
  loaded: LoadedPlans,
): Promise<Result<LoadedPlan>> {
  const { packs = [], skillPacks = [] } = options
  const asked = [...packs, ...skillPacks.map((pack) => `skill ${pack}`)]
  const key = JSON.stringify([BUILD_ID, options.home.user, project, options.config ?? '', ...asked])
  const path = planCachePath(options.home.cache, key)
  const cached = readCachedPlan(options.home, path, key)
  if (cached !== undefined && isPlanFresh(cached)) return activate(cached, true, project, options, loaded)
  const { compile } = await import('../config/compile.ts')
  const config = options.config === undefined ? {} : { config: options.config }
  const ask = { home: options.home, project, packs, skillPacks, lastGood: cached?.lastGood ?? {}, ...config }
  for (let attempt = 0; ; attempt += 1) {
    const startedMs = Date.now()
    const { plan, broken, complete, lastGood, inputs, keepMs } = await compile(ask)
    const kept = keepMs === undefined ? {} : { kept: { fromMs: Date.now(), forMs: keepMs } }
    const next = { key, plan, broken, complete, lastGood, stamps: inputs.map(stampOf), ...kept }
    const isForNow = keepMs === 0
    const settled = !isForNow && next.stamps.every((stamp) => isOlder(stamp, startedMs))
    // If a file changed while it was read, the plan may mix both versions: read again, and cache only a
    // stable result.
    const isLast = settled || isForNow || attempt >= CHANGING_MAX
    // The last valid content of each file is kept in any case: the next change may be an error.
    if (isLast && !isForNow && options.uncached !== true)
      writeCachedPlan(options.home, path, settled ? next : { ...next, kept: { fromMs: startedMs, forMs: 0 } })
    if (isLast) return activate(next, settled, project, options, loaded)
  }
}

const CHANGING_MAX = 2

async function activate(
  cached: CachedPlan,
  settled: boolean,
  project: string,
  options: PlanOptions,
  loaded: LoadedPlans,
): Promise<Result<LoadedPlan>> {
  const [first] = cached.broken
  if (!cached.complete && first !== undefined) {
    const { file, line, column, key } = first
    const place = {
      ...(file && { file }),
      ...(line && { line }),
      ...(column && { column }),
      ...(key && { key }),
    }
    return bad(
      'PLAN_MISSING',
      `The configuration is broken and no earlier plan is known: ${first.message}`,
      place,
    )
  }
  const known = loaded.get(project)?.value
  const now = { broken: cached.broken, ignoredImports: importsIgnored(cached) }
  const value: LoadedPlan =
    known?.plan.revision === cached.plan.revision
      ? { ...known, ...now }
      : { plan: cached.plan, ...now, ...(await made(cached.plan, options)) }
  loaded.delete(project)
  loaded.set(project, { isFresh: settled ? watchPlan(cached) : () => false, value })
  const [oldest] = loaded.keys()
  if (loaded.size > LOADED_MAX && oldest !== undefined) loaded.delete(oldest)
  return { ok: true, value }
}

/** Of a file that is broken now, nobody knows what it imports. */
function importsIgnored({ broken, lastGood }: CachedPlan): readonly string[] {
  return Object.values(lastGood).flatMap(({ layer: { file, trusted, imports = [] } }) =>
    trusted || imports.length === 0 || broken.some((problem) => problem.file === file) ? [] : [file],
  )
}

async function made(plan: Plan, options: PlanOptions): Promise<Pick<LoadedPlan, 'engine' | 'maskers'>> {
  const callable = (name: string) => options.callables?.get(name)
  const engine = await createEngine(plan, {
    callable,
    searchPath: (callers) => searchPath(options.home, callers),
  })
  const maskers = await maskersOf(plan)
  if (options.keepsAnswers !== true) return { engine, maskers }
  const isPure = engine.runners.every((runner) => typeof runner === 'function' && runner.isPure === true)
  return { engine: { ...engine, isPure, knownAnswers: createKnownAnswers() }, maskers }
}
