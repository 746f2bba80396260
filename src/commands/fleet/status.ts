import { fleetFolder, readEnrollment, systemFleetFolder } from '../../config/bundle/enrollment.ts'
import { readFleetStatus } from '../../config/bundle/fleet-status.ts'
import { HoldpointError } from '../../core/errors.ts'
import { fetchNow } from '../../daemon/fleet/fetch-now.ts'
import type { Home } from '../../system/home.ts'
import { fleetWarnings } from '../../tools/status/fleet-warnings.ts'
import { type Caller, homeNamed } from '../caller.ts'
import { say } from '../screen.ts'
import { visibleJson } from '../visible.ts'
import { outcomeText } from './enroll.ts'
import { sureOf } from './options.ts'
import { fleetTexts } from './status-text.ts'

interface FleetOptions {
  readonly system?: boolean
  readonly json?: boolean
  readonly home?: string
}

/** The policy of the fleet on this machine. Exit code 1 if something is wrong with it. */
export function fleetStatus(caller: Caller, options: FleetOptions): void {
  const nowMs = Date.now()
  const found = readFleetStatus(homeOf(caller, options), nowMs)
  if (options.json === true) {
    caller.stdout.write(`${visibleJson(JSON.stringify(found ?? null, null, 2))}\n`)
  } else if (found === undefined) say(caller, 'This machine is not enrolled in a fleet.')
  else for (const line of [...fleetWarnings(found), ...fleetTexts(found, nowMs)]) say(caller, line)
  if (found !== undefined && fleetWarnings(found).length > 0) caller.exitCode = 1
}

/** Asks the server now, instead of waiting for the daemon. */
export async function fleetFetch(caller: Caller, options: FleetOptions): Promise<void> {
  const home = homeOf(caller, options)
  const read = readEnrollment(home)
  if (read.kind === 'none') {
    throw new HoldpointError({
      code: 'FLEET_ENROLLMENT',
      message: 'This machine is not enrolled in a fleet.',
    })
  }
  if (read.kind === 'broken') {
    throw new HoldpointError({
      code: 'FLEET_ENROLLMENT',
      message: `The enrollment cannot be read: ${read.why}.`,
      file: read.file,
    })
  }
  const folder = options.system === true ? systemFleetFolder(home) : fleetFolder(home)
  say(caller, outcomeText(sureOf(await fetchNow(folder, read.enrollment, () => new Date()))))
}

function homeOf(caller: Caller, { home }: FleetOptions): Home {
  return homeNamed(caller, home)
}
