import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { endDaemonsOf } from '../faults/station.ts'
import type { Places } from './agents.ts'

/**
 * Ends the daemon of a world and its supervisor, also those that are only being started and have noted themselves
 * nowhere. What they left cannot be copied into the next world.
 */
export async function endDaemon({ holdpoint }: Places): Promise<void> {
  await endDaemonsOf(holdpoint)
  rmSync(join(holdpoint, 'run'), { recursive: true, force: true, maxRetries: 5 })
}
