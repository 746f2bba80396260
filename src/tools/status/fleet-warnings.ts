import type { FleetStatus } from '../../config/bundle/fleet-status.ts'

/** What a person must not miss about the fleet. */
export function fleetWarnings({ bundle, problem, check }: FleetStatus): readonly string[] {
  return [
    ...(problem === undefined ? [] : [`FLEET: ${problem}`]),
    ...(bundle?.expired === true
      ? [`EXPIRED: the bundle of the fleet expired on ${bundle.expires.slice(0, 10)}. It stays in force.`]
      : []),
    ...(check?.problem === undefined || problem !== undefined ? [] : [`FLEET: ${check.problem}`]),
  ]
}
