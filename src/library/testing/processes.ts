import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A process that has ended is listed until its parent has read its exit code. Read once: it may be gone at a
 * second read.
 */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

const GONE_MAX_MS = 60_000
const POLL_MS = 20

/** False if one of them still runs after a minute. */
export async function areGone(pids: readonly number[]): Promise<boolean> {
  for (const endMs = Date.now() + GONE_MAX_MS; pids.some(isRunning); await sleep(POLL_MS)) {
    if (Date.now() > endMs) return false
  }
  return true
}

/** The process ids in a file. */
export function pidsIn(file: string): readonly number[] {
  return readFileSync(file, 'utf8').trim().split(/\s+/).map(Number)
}
