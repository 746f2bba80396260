import type { Decision, Finding, Patch } from '../decision.ts'
import type { Event } from '../event.ts'
import type { JsonObject } from '../json.ts'

/**
 * A hook may block stopping only a limited number of times. Then the stop is allowed and the user is notified. Without
 * this limit, a hook that is never satisfied would keep an agent working forever; hosts also ignore a hook after a few blocks.
 */
export function applyStopBudget(
  event: Event,
  decision: Decision,
  memory: JsonObject | undefined,
  { blocksMax, isUnmarked }: StopBudget,
): Decision {
  if (event.kind !== 'Stop' && event.kind !== 'SubagentStop') return decision
  const before = blocksBefore(event.stopHookActive || isUnmarked, memory)
  if (decision.effect !== 'deny') {
    return before > 0 && before < Number.POSITIVE_INFINITY
      ? remembering(decision, { remember: [blocks(0)] })
      : decision
  }
  if (before < blocksMax) return remembering(decision, { rememberDenied: [blocks(before + 1)] })
  const why =
    memory === undefined
      ? "Stop allowed because the session's state cannot be read"
      : `Stop allowed after ${before} blocked attempts`
  return remembering(allowStop(decision, why), { remember: [blocks(0)] })
}

interface StopBudget {
  readonly blocksMax: number
  /** The host does not say whether this stop follows a blocked one: it may. */
  readonly isUnmarked: boolean
}

/** The agent may stop although a hook objects. The user is told which conditions were not met. */
export function allowStop(decision: Decision, why: string): Decision {
  const unmet = decision.reasons.map((reason) => reason.text).join('\n')
  const notice = `${why}. These conditions are not met: ${unmet}`
  return { ...decision, effect: 'pass', reasons: [], because: [], notices: [...decision.notices, notice] }
}

const KEY = 'holdpoint/stop-blocks'

/** The host says whether this stop follows a blocked one. If it does and the number is unknown, that is too many. */
function blocksBefore(stopHookActive: boolean, memory: JsonObject | undefined): number {
  if (!stopHookActive) return 0
  if (memory === undefined) return Number.POSITIVE_INFINITY
  const count = memory[KEY]
  return typeof count === 'number' ? count : 0
}

function blocks(value: number): Patch {
  return { op: 'set', key: KEY, value }
}

function remembering(decision: Decision, what: Pick<Finding, 'remember' | 'rememberDenied'>): Decision {
  const bookkeeping: Finding = { hook: 'holdpoint/stop-budget', effect: 'pass', ...what }
  return { ...decision, findings: [bookkeeping, ...decision.findings] }
}
