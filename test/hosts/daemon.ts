import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { endDaemonsOf } from '../processes.ts'
import type { Places } from './agents.ts'

/**
 * Ends the daemon of a sandbox and its supervisor, including those that are just being started and have no pid file yet.
 * Otherwise they would disturb the next sandbox.
 */
export async function endDaemon({ holdpoint }: Places): Promise<void> {
  await endDaemonsOf(holdpoint)
  rmSync(join(holdpoint, 'run'), { recursive: true, force: true, maxRetries: 5 })
}
