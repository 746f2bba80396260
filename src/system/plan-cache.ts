import { createHmac, timingSafeEqual } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../core/errors.ts'
import { fingerprint } from '../core/fingerprint.ts'
import { isObject } from '../core/json.ts'
import type { Layer } from '../core/layer.ts'
import { PLAN_FORMAT } from '../core/plan/format.ts'
import type { Plan } from '../core/plan/plan.ts'
import { cacheKey } from './cache-key.ts'
import { isStillSame, type Stamp, watchStamps } from './file-stamp.ts'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'
import { readRegularText } from './regular-file.ts'

/** A compiled plan on disk, with the state of its source files. */
export interface CachedPlan {
  readonly plan: Plan
  /** Files that are invalid now; their last valid content is in the plan. */
  readonly broken: readonly Problem[]
  /** False if an invalid file was never valid, so that the plan cannot be used. */
  readonly complete: boolean
  readonly lastGood: Readonly<Record<string, LastGood>>
  readonly stamps: readonly Stamp[]
  /** What the plan is for, and which build made it. */
  readonly key: string
  /** Only for this time, although no file has changed: something may be loaded at the next try. */
  readonly kept?: { readonly fromMs: number; readonly forMs: number }
}

/** The last valid content of a file, and its hash: whether it is trusted is checked every time. */
export interface LastGood {
  readonly layer: Layer
  readonly hash: string
}

/** The key is also stored in the file, so that two keys with the same file name only cost time. */
export function planCachePath(folder: string, key: string): string {
  return join(folder, `plan-${fingerprint(key)}.json`)
}

/** The cached plan, up to date or not; undefined if there is none that this version can read. */
export function readCachedPlan(home: Home, path: string, key: string): CachedPlan | undefined {
  try {
    const text = readRegularText(path, PLAN_MAX_BYTES) ?? ''
    const json = text.slice(MARK_LENGTH + 1)
    // A file from another program could contain no hooks at all.
    if (!isMarked(text.slice(0, MARK_LENGTH), json, home)) return undefined
    const value: unknown = JSON.parse(json)
    if (!isObject(value) || value.key !== key || !isObject(value.plan)) return undefined
    if (!Array.isArray(value.plan.hooks) || !isObject(value.plan.index) || !isObject(value.lastGood))
      return undefined
    return value.plan.format === PLAN_FORMAT ? (value as unknown as CachedPlan) : undefined
  } catch {
    return undefined
  }
}

const PLAN_MAX_BYTES = 256 * 1024 * 1024
const MARK_LENGTH = 64

function isMarked(mark: string, json: string, home: Home): boolean {
  const right = markOf(json, home)
  return (
    right !== undefined &&
    mark.length === right.length &&
    timingSafeEqual(Buffer.from(mark), Buffer.from(right))
  )
}

function markOf(json: string, home: Home): string | undefined {
  const key = cacheKey(home)
  return key === undefined ? undefined : createHmac('sha256', key).update(json).digest('hex')
}

/** One look at each source file: the whole cost of a cache hit. */
export function isPlanFresh({ stamps, kept }: PlanSources): boolean {
  return isInTime(kept) && stamps.every(isStillSame)
}

/** The same for a process that asks before every event, with fewer looks. */
export function watchPlan({ stamps, kept }: PlanSources): () => boolean {
  const areSame = watchStamps(stamps)
  return () => isInTime(kept) && areSame()
}

type PlanSources = Pick<CachedPlan, 'stamps' | 'kept'>

function isInTime(kept: PlanSources['kept']): boolean {
  if (kept === undefined) return true
  const ageMs = Date.now() - kept.fromMs
  // A clock that was set back must not keep it for ever.
  return ageMs >= 0 && ageMs < kept.forMs
}

/** A cache that cannot be written costs time, but changes no answer. */
export function writeCachedPlan(home: Home, path: string, cached: CachedPlan): void {
  try {
    mkdirSync(home.cache, { recursive: true, mode: 0o700 })
    const json = JSON.stringify(cached)
    const mark = markOf(json, home)
    if (mark !== undefined) writeWhole(path, `${mark}\n${json}`, 0o600)
    forgetOldPlans(home.cache, path)
  } catch {
    // The next event compiles again.
  }
}

/** More projects than one user works on. A missing plan is compiled again. */
const PLANS_MAX = 300
const PLANS_MAX_BYTES = 128 * 1024 * 1024
/** Writing takes no time, so an older temporary file was left by a process that was killed. */
const TEMPORARY_MAX_MS = 60 * 60 * 1_000

/** Every folder in which an agent starts adds a plan, and a repository decides its size. The newest are kept. */
function forgetOldPlans(folder: string, justWritten: string): void {
  const files = readdirSync(folder)
    .filter((name) => PLAN_FILE.test(name))
    .flatMap((name) => {
      const path = join(folder, name)
      const info = lstatSync(path, { throwIfNoEntry: false })
      return info === undefined ? [] : [{ path, sizeBytes: info.size, modifiedMs: info.mtimeMs }]
    })
    .sort((a, b) => b.modifiedMs - a.modifiedMs)
  const oldestMs = Date.now() - TEMPORARY_MAX_MS
  let plans = 0
  let sizeBytes = 0
  for (const file of files) {
    const isTemporary = !file.path.endsWith('.json')
    if (!isTemporary) {
      plans += 1
      sizeBytes += file.sizeBytes
    }
    const isOver = isTemporary ? file.modifiedMs < oldestMs : plans > PLANS_MAX || sizeBytes > PLANS_MAX_BYTES
    if (isOver && file.path !== justWritten) rmSync(file.path, { force: true })
  }
}

const PLAN_FILE = /^plan-[0-9a-f]+\.json(?:\.\d+\.\w+\.tmp)?$/
