import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Layer } from '../config.ts'
import type { Problem } from '../errors.ts'
import { isObject } from '../json.ts'
import { fingerprint, PLAN_FORMAT, type Plan } from '../plan.ts'
import { writeWhole } from './files.ts'

/** A compiled plan on disk, with what it was made from. */
export interface CachedPlan {
  readonly plan: Plan
  /** Files that are broken now; what they said when they were whole is in the plan. */
  readonly broken: readonly Problem[]
  /** False: a broken file was never whole, so the plan is not to be relied on. */
  readonly complete: boolean
  readonly lastGood: Readonly<Record<string, LastGood>>
  readonly stamps: readonly Stamp[]
  /** What the plan is for, and which build made it. */
  readonly key: string
}

/** What a file said when it was last whole, and the hash of that: whether it is trusted is asked anew every time. */
export interface LastGood {
  readonly layer: Layer
  readonly hash: string
}

/** Enough of a file to notice that it changed; a missing file has no numbers. */
export interface Stamp {
  readonly path: string
  readonly found?: readonly [mtimeMs: number, ctimeMs: number, sizeBytes: number, inode: number]
}

/** The key also stands in the file, so that two keys with one name only cost time. */
export function planCachePath(folder: string, key: string): string {
  return join(folder, `plan-${fingerprint(key)}.json`)
}

/** The cached plan, fresh or not, or undefined when there is none that this version can read. */
export function readCachedPlan(path: string, key: string): CachedPlan | undefined {
  try {
    // A pipe in its place would be waited for.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isObject(value) || value.key !== key || !isObject(value.plan)) return undefined
    if (!Array.isArray(value.plan.hooks) || !isObject(value.plan.index) || !isObject(value.lastGood))
      return undefined
    return value.plan.format === PLAN_FORMAT ? (value as unknown as CachedPlan) : undefined
  } catch {
    return undefined
  }
}

/** One stat per input file: the whole price of a cache hit. */
export function isFresh(cached: Pick<CachedPlan, 'stamps'>): boolean {
  return cached.stamps.every((stamp) => sameStamp(stamp, stampOf(stamp.path)))
}

/** Whether the file was as it is well before this moment: a younger one may have changed while it was read. */
export function isOlder(stamp: Stamp, thanMs: number): boolean {
  return stamp.found === undefined || stamp.found[1] < thanMs - CLOCK_MS
}

/** Files carry a coarser time than the clock. */
const CLOCK_MS = 10

export function stampOf(path: string): Stamp {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    return info === undefined ? { path } : { path, found: [info.mtimeMs, info.ctimeMs, info.size, info.ino] }
  } catch {
    return { path }
  }
}

/** A cache that cannot be written costs time, never an answer. */
export function writeCachedPlan(folder: string, path: string, cached: CachedPlan): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeWhole(path, JSON.stringify(cached), 0o600)
  } catch {
    // The next event compiles again.
  }
}

function sameStamp(a: Stamp, b: Stamp): boolean {
  if (a.found === undefined || b.found === undefined) return a.found === b.found
  return a.found.every((value, i) => value === b.found?.[i])
}
