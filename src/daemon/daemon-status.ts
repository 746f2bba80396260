import { setTimeout as sleep } from 'node:timers/promises'
import { BUILD_ID } from '../core/build-id.ts'
import { isObject } from '../core/json.ts'
import type { Home } from '../system/home.ts'
import { isAlive } from '../system/platform/alive.ts'
import { controlDaemon } from './client.ts'
import { notedPids } from './run-folder.ts'

const STATUS_MAX_MS = 2_000

/** True if a daemon of the same build answers. A daemon that hangs, or is of another build, is replaced. */
export async function isDaemonRunning(home: Home): Promise<boolean> {
  return (await statusOf(home))?.build === BUILD_ID
}

/**
 * Whether a supervisor is already at work: its daemon answers, or will in a moment. A second pair would
 * replace the first, and between the two the port that agents use would be free for another program.
 */
export async function isSupervised(home: Home): Promise<boolean> {
  const endMs = Date.now() + RESTART_MAX_MS
  for (;;) {
    // In this order: a daemon starts its server before it notes its supervisor.
    const [, supervisor] = notedPids(home.run)
    const status = await statusOf(home)
    if (status !== undefined) return status.build === BUILD_ID && typeof status.supervisor === 'number'
    if (!isAlive(supervisor) || Date.now() >= endMs) return false
    await sleep(POLL_MS)
  }
}

/**
 * A supervisor waits at most a second before it restarts its daemon, which then needs a moment. If its pid
 * belongs to another program by now, the wait has no result.
 */
const RESTART_MAX_MS = 5_000
const POLL_MS = 25

interface Status {
  readonly build?: unknown
  readonly supervisor?: unknown
}

async function statusOf(home: Home): Promise<Status | undefined> {
  const reply = await controlDaemon(home.run, '#status', STATUS_MAX_MS)
  try {
    const said: unknown = reply === undefined ? undefined : JSON.parse(reply.stdout)
    return said === undefined || isObject(said) ? said : {}
  } catch {
    // Something answered, but it is not a daemon.
    return {}
  }
}
