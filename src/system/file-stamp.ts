import { existsSync, statSync } from 'node:fs'

/** Enough of a file to notice that it changed; a missing file has no values. */
export interface Stamp {
  readonly path: string
  readonly found?: readonly [mtimeMs: number, ctimeMs: number, sizeBytes: number, inode: number]
}

/** Whether the file was last changed well before this moment: a newer one may have changed while it was read. */
export function isOlder(stamp: Stamp, thanMs: number): boolean {
  return stamp.found === undefined || stamp.found[1] < thanMs - CLOCK_MS
}

/** The time of files is less exact than the clock. */
const CLOCK_MS = 10

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
