import { userInfo } from 'node:os'
import { HoldpointError } from '../../core/errors.ts'
import type { FleetDatabase } from '../../core/fleet-package.ts'
import type { Caller } from '../caller.ts'
import { visibleJson } from '../visible.ts'
import { databaseOption } from './collector.ts'
import { loadCollector } from './load-package.ts'

/** What the commands that ask the database of a fleet have in common. */

export interface CentralOptions {
  readonly database?: string
  readonly json?: boolean
}

export async function withFleet(
  caller: Caller,
  options: CentralOptions,
  work: (fleet: FleetDatabase) => Promise<void>,
): Promise<void> {
  const fleet = await loadCollector().openFleet(databaseOption(caller, options))
  try {
    await work(fleet)
  } finally {
    await fleet.close()
  }
}

export function printJson(caller: Caller, value: unknown): void {
  caller.stdout.write(`${visibleJson(JSON.stringify(value, null, 2))}\n`)
}

export function person(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}

export function unknownInFleet(message: string): HoldpointError {
  return new HoldpointError({
    code: 'RECORD_UNKNOWN',
    message,
    fix: 'List them with `holdpoint fleet machines` or `holdpoint fleet token list`.',
  })
}
