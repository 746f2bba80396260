import type { Decision, Finding, Patch } from './decision.ts'
import type { Event } from './event.ts'
import type { JsonObject } from './json.ts'

/**
 * A gate on stopping may hold an agent only so often: then it lets go and tells the person. Without this a hook
 * that can never be satisfied would keep an agent working for ever, and hosts stop listening after a few blocks.
 */
export function holdStop(
  event: Event,
  decision: Decision,
  memory: JsonObject | undefined,
  blocksMax: number,
): Decision {
  if (event.kind !== 'Stop' && event.kind !== 'SubagentStop') return decision
  const before = blocksBefore(event.stopHookActive, memory)
  if (decision.effect !== 'deny') {
    return before > 0 && before < Number.POSITIVE_INFINITY
      ? remembering(decision, { remember: [blocks(0)] })
      : decision
  }
  if (before < blocksMax) return remembering(decision, { rememberDenied: [blocks(before + 1)] })
  const why =
    memory === undefined
      ? "Let go because the session's state cannot be read"
      : `Held ${before} times, then let go`
  return remembering(letGo(decision, why), { remember: [blocks(0)] })
}

/** The agent may stop although a gate objects; the person is told what was not met. */
export function letGo(decision: Decision, why: string): Decision {
  const unmet = decision.reasons.map((reason) => reason.text).join('\n')
  const notice = `${why}, although its conditions are not met: ${unmet}`
  return { ...decision, effect: 'pass', reasons: [], because: [], notices: [...decision.notices, notice] }
}

const KEY = 'holdpoint/stop-blocks'

/** The host says whether this stop follows a held one; if it does and we cannot know how many, that is too many. */
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
  const bookkeeping: Finding = { hook: 'holdpoint/stop-budget', order: -1, effect: 'pass', ...what }
  return { ...decision, findings: [bookkeeping, ...decision.findings] }
}
