import { BUILD_ID } from './build-id.ts'
import { createEngine, maskersOf } from './engine.ts'
import { bad, type Problem, type Result } from './errors.ts'
import type { Callable } from './handlers/handler.ts'
import type { Engine } from './judge.ts'
import type { Plan } from './plan.ts'
import type { Masker } from './redact.ts'
import { searchPath } from './world/environment.ts'
import type { Home } from './world/home.ts'
import {
  type CachedPlan,
  isFresh,
  isOlder,
  planCachePath,
  readCachedPlan,
  stampOf,
  writeCachedPlan,
} from './world/plan-cache.ts'

/** Which configuration a plan is made of. */
export interface PlanOptions {
  readonly home: Home
  /** In place of the found configuration. */
  readonly config?: string
  readonly packs?: readonly string[]
  /** Packs of the skills a caller names; added unless the configuration has them, or others in their place. */
  readonly skillPacks?: readonly string[]
  readonly callables?: ReadonlyMap<string, Callable>
  /** It is asked for so seldom that nothing is left on disk for the next time. */
  readonly uncached?: boolean
}

export interface LoadedPlan {
  readonly plan: Plan
  readonly engine: Engine
  readonly maskers: readonly Masker[]
  /** Files that are broken now: `plan` is then the last good one. */
  readonly broken: readonly Problem[]
}

/** Plans in use, by project. Kept by whoever lives longer than one event. */
export type LoadedPlans = Map<string, { readonly cached: CachedPlan | undefined; readonly value: LoadedPlan }>

/** More projects than one person works on at a time. */
const LOADED_MAX = 64

/**
 * The plan of a project, ready to run: from the cache while no file has changed, else compiled anew. A broken file
 * keeps the last good plan; where there never was one, there is no plan and hold points deny.
 */
export async function loadPlan(
  project: string,
  options: PlanOptions,
  loaded: LoadedPlans,
): Promise<Result<LoadedPlan>> {
  const active = loaded.get(project)
  if (active?.cached !== undefined && isFresh(active.cached)) return { ok: true, value: active.value }
  const { packs = [], skillPacks = [] } = options
  const asked = [...packs, ...skillPacks.map((pack) => `skill ${pack}`)]
  const key = JSON.stringify([BUILD_ID, options.home.user, project, options.config ?? '', ...asked])
  const path = planCachePath(options.home.cache, key)
  const cached = readCachedPlan(path, key)
  if (cached !== undefined && isFresh(cached)) return activate(cached, true, project, options, loaded)
  const { compile } = await import('./compile.ts')
  const config = options.config === undefined ? {} : { config: options.config }
  const ask = { home: options.home, project, packs, skillPacks, lastGood: cached?.lastGood ?? {}, ...config }
  for (let attempt = 0; ; attempt += 1) {
    const startedMs = Date.now()
    const { inputs, ...compiled } = await compile(ask)
    const next = { key, ...compiled, stamps: inputs.map(stampOf) }
    const settled = next.stamps.every((stamp) => isOlder(stamp, startedMs))
    // A file that changed while it was read may be half of each: read again, and keep nothing that is not sure.
    if (settled && options.uncached !== true) writeCachedPlan(options.home.cache, path, next)
    if (settled || attempt >= CHANGING_MAX) return activate(next, settled, project, options, loaded)
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
  const value: LoadedPlan =
    known?.plan.revision === cached.plan.revision
      ? { ...known, broken: cached.broken }
      : { plan: cached.plan, broken: cached.broken, ...(await made(cached.plan, options)) }
  loaded.delete(project)
  loaded.set(project, { cached: settled ? cached : undefined, value })
  const [oldest] = loaded.keys()
  if (loaded.size > LOADED_MAX && oldest !== undefined) loaded.delete(oldest)
  return { ok: true, value }
}

async function made(plan: Plan, options: PlanOptions): Promise<Pick<LoadedPlan, 'engine' | 'maskers'>> {
  const callable = (name: string) => options.callables?.get(name)
  const engine = await createEngine(plan, {
    callable,
    searchPath: (callers) => searchPath(options.home, callers),
  })
  return { engine, maskers: await maskersOf(plan) }
}
