import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { processState } from '../../system/platform/processes.ts'

/** A process that has ended is listed until its parent has read its exit code. */
export function isRunning(pid: number): boolean {
  const state = processState(pid)
  return state !== undefined && state !== 'Z' && state !== 'X'
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
