import type { Decision, Finding } from '../core/decision.ts'
import { combine } from '../core/engine/combine.ts'
import { fitToHost } from '../core/engine/fit-to-host.ts'
import { type Event, toolOf } from '../core/event.ts'
import type { Abilities } from '../core/host.ts'
import { PROBE_TOOL } from '../system/probe-mark.ts'

/**
 * True for an event of the probe with this session. A call of a real tool is never a probe, whatever else its payload
 * says.
 */
export function isProbeEvent(event: Event, session: string): boolean {
  // A host may put its own name before the id of a session.
  return `-${event.session}`.endsWith(`-${session}`) && (toolOf(event)?.name ?? PROBE_TOOL) === PROBE_TOOL
}

/**
 * The decision about a probe: no hook of the plan runs, because hooks write files and start programs of the user. The
 * probe names the decision, which then takes the usual way to the host.
 */
export function decideProbe(event: Event, can: Abilities): Decision {
  const finding: Finding = {
    hook: 'holdpoint',
    effect: 'deny',
    reason: 'Holdpoint checks that this hook denies.',
  }
  return fitToHost(combine(event.raw.holdpoint_probe === 'deny' ? [finding] : []), can)
}
