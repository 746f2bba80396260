// What the journal thread loads on a machine that belongs to a fleet or exports telemetry.
export { startFleet } from '../src/daemon/fleet/start.ts'
