import { existsSync, lstatSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Enough of a file to notice that it changed; a missing file has no values. */
export interface Stamp {
  readonly path: string
  readonly found?: readonly [mtimeMs: number, ctimeMs: number, sizeBytes: number, inode: number]
}

/** Whether the file was last changed well before this moment: a newer one may have changed while it was read. */
export function isOlder(stamp: Stamp, thanMs: number): boolean {
  if (stamp.found === undefined) return true
  const [mtimeMs, ctimeMs] = stamp.found
  const isCoarse = mtimeMs % 1_000 === 0 && ctimeMs % 1_000 === 0
  return ctimeMs < thanMs - (isCoarse ? COARSE_CLOCK_MS : CLOCK_MS)
}

/** The time of files is less exact than the clock. */
const CLOCK_MS = 10
/** Some file systems keep no parts of a second, or only every other one. */
const COARSE_CLOCK_MS = 2_000

export function stampOf(path: string): Stamp {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    return info === undefined ? { path } : { path, found: [info.mtimeMs, info.ctimeMs, info.size, info.ino] }
  } catch {
    return { path }
  }
}

/** Whether the file is as it was. One that was missing is only looked for: that takes half as long. */
export function isStillSame(stamp: Stamp): boolean {
  return stamp.found === undefined ? !existsSync(stamp.path) : sameStamp(stamp, stampOf(stamp.path))
}

export function sameStamp(a: Stamp, b: Stamp): boolean {
  if (a.found === undefined || b.found === undefined) return a.found === b.found
  return a.found.every((value, i) => value === b.found?.[i])
}

/**
 * Whether the files are as they were, for a process that asks again and again. A file that is missing cannot appear
 * without a change of its folder, so one look at the folder stands for all files that are missing there.
 */
export function watchStamps(stamps: readonly Stamp[]): () => boolean {
  let fewer: readonly Stamp[] | undefined
  return () => {
    if (fewer?.every(isStillSame) === true) return true
    const startedMs = Date.now()
    // First: what changes while the files are looked at has changed the folders too.
    const found = withFolders(stamps)
    if (!stamps.every(isStillSame)) return false
    // In a folder that has changed just now, the next change may have the same time.
    fewer = found.every((stamp) => isOlder(stamp, startedMs)) ? found : undefined
    return true
  }
}

/** The files that were there, as they were then, and the folders of the others, as they are now. */
function withFolders(stamps: readonly Stamp[]): readonly Stamp[] {
  const missing = new Set<string>()
  for (const { path, found } of stamps) if (found === undefined) missing.add(folderOf(path))
  return [...stamps.filter(({ found }) => found !== undefined), ...[...missing].map(stampOf)]
}

/** The folder in which the path, or the folder that leads to it, is missing. A link without an end stands for itself. */
function folderOf(path: string): string {
  let missing = path
  while (!existsSync(dirname(missing))) missing = dirname(missing)
  try {
    return lstatSync(missing, { throwIfNoEntry: false }) === undefined ? dirname(missing) : path
  } catch {
    return path
  }
}
