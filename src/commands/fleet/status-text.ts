import type { FleetStatus } from '../../config/bundle/fleet-status.ts'
import { visible } from '../visible.ts'

/** The fleet in a few lines: which policy, how old, and whether it can be switched off here. */
export function fleetTexts(status: FleetStatus, nowMs: number): readonly string[] {
  const { bundle, check, url, channel, enforced, collector } = status
  const reached = check?.reachedAt
  return [
    bundle === undefined
      ? 'no bundle'
      : `${visible(bundle.name)} revision ${bundle.revision} (${visible(bundle.version)}), ${age(bundle.created, nowMs)} old, channel ${visible(channel)}`,
    `from ${visible(url)}, ${reached === undefined ? 'never reached' : `last reached ${age(reached, nowMs)} ago`}`,
    ...(collector === undefined ? [] : [`records go to ${visible(collector)}`]),
    enforced
      ? 'enforced: root owns the enrollment'
      : 'advisory: root does not own the enrollment, so programs of this user can end it. Run `holdpoint fleet enroll --system` as root.',
  ]
}

const MINUTE_MS = 60_000
const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
]

/** `3 hours`. */
function age(iso: string, nowMs: number): string {
  const ms = Math.max(0, nowMs - Date.parse(iso))
  const [name, unitMs] = UNITS.find(([, each]) => ms >= each) ?? ['second', 1000]
  const count = Math.floor(ms / unitMs)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
