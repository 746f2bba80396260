import { setTimeout as sleep } from 'node:timers/promises'
import { BUILD_ID } from '../build-id.ts'
import { isObject } from '../json.ts'
import type { Home } from '../world/home.ts'
import { isAlive } from '../world/processes.ts'
import { orderDaemon } from './client.ts'
import { notedPids } from './run-folder.ts'

const WELL_WITHIN_MS = 2_000

/** A daemon of the same build that answers; one that is frozen, or of another build, is replaced. */
export async function isServed(home: Home): Promise<boolean> {
  return (await statusOf(home))?.build === BUILD_ID
}

/**
 * Whether a supervisor is at it already: its daemon answers, or will in a moment. A second pair would take the place
 * of the first, and between the two nobody would hold the port that an agent asks.
 */
export async function isSupervised(home: Home): Promise<boolean> {
  const endMs = Date.now() + BACK_WITHIN_MS
  for (;;) {
    // In this order: a daemon opens its door before it notes its supervisor.
    const [, supervisor] = notedPids(home.run)
    const status = await statusOf(home)
    if (status !== undefined) return status.build === BUILD_ID && typeof status.supervisor === 'number'
    if (!isAlive(supervisor) || Date.now() >= endMs) return false
    await sleep(POLL_MS)
  }
}

/**
 * A supervisor waits at most a second before it starts its daemon again, which then takes a moment. Where its number is
 * another program's by now, this is waited for nothing.
 */
const BACK_WITHIN_MS = 5_000
const POLL_MS = 25

interface Status {
  readonly build?: unknown
  readonly supervisor?: unknown
}

async function statusOf(home: Home): Promise<Status | undefined> {
  const reply = await orderDaemon(home.run, '#status', WELL_WITHIN_MS)
  try {
    const said: unknown = reply === undefined ? undefined : JSON.parse(reply.stdout)
    return said === undefined || isObject(said) ? said : {}
  } catch {
    // Whoever this is, it is no daemon.
    return {}
  }
}
