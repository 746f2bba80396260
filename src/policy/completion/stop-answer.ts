import type { Answer, Context, Patch } from '../../core/decision.ts'
import type { Event } from '../../core/event.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ContractResult } from './check.ts'

/** The agent whose stop is judged, and how often it was held before. */
export interface Holding {
  /** The key of the count. */
  readonly key: string
  /** The name of the contract, for the user. */
  readonly name: string
  readonly blocks: number
  readonly event: Event
  readonly memory: JsonObject | undefined
  /** What the agent reads when it is held. */
  readonly reason: string
  /** Stored whatever the result is. */
  readonly remember?: readonly Patch[]
  /** Tells other agents if the agent may stop although something is missing. */
  readonly letGo?: (missing: readonly string[]) => readonly Context[]
}

/**
 * A verdict as an answer: the agent may stop, or is held. After enough attempts it may stop, and the user is
 * notified.
 */
export function answerStop(verdict: ContractResult, holding: Holding): Answer | null {
  const { blocks, memory, reason, remember = [] } = holding
  const before = heldBefore(holding)
  if (verdict.missing.length === 0)
    return passing(verdict.notices, [...remember, ...counted(holding, 0)], memory)
  if (before < blocks) {
    const patches = [...remember, ...counted(holding, before + 1)]
    return {
      effect: 'deny',
      reason,
      ...(verdict.notices.length === 0 ? {} : { notices: verdict.notices }),
      ...(memory === undefined ? {} : { rememberDenied: patches }),
      detail: { missing: verdict.missing, heldBefore: before },
    }
  }
  const why =
    memory === undefined
      ? 'The state cannot be read, so the agent was'
      : `The agent was held ${before} times, then`
  const unmet = `${holding.name}: ${why} allowed to stop, although this is missing: ${verdict.missing.join(' ')}`
  const allowed = passing([...verdict.notices, unmet], [...remember, ...counted(holding, 0)], memory)
  const context = holding.letGo?.(verdict.missing) ?? []
  return {
    ...(allowed ?? { effect: 'pass' }),
    ...(context.length === 0 ? {} : { context }),
    detail: { missing: verdict.missing, heldBefore: Number.isFinite(before) ? before : null },
  }
}

/**
 * How often this stop was already held. At the end of a turn the host reports whether it was held. A sub-agent ends
 * only once, so the count is used even if the host never reports it.
 */
function heldBefore({ key, event, memory }: Holding): number {
  const isAgain = 'stopHookActive' in event && event.stopHookActive
  if (memory === undefined) return isAgain ? Number.POSITIVE_INFINITY : 0
  const count = memory[`${key}/held`]
  if (typeof count !== 'number' || (event.kind === 'Stop' && !isAgain)) return 0
  return count
}

function counted({ key, memory }: Holding, held: number): readonly Patch[] {
  const kept = memory?.[`${key}/held`] ?? 0
  return kept === held ? [] : [{ op: 'set', key: `${key}/held`, value: held }]
}

function passing(
  notices: readonly string[],
  remember: readonly Patch[],
  memory: JsonObject | undefined,
): Answer | null {
  const kept = memory === undefined ? [] : remember
  if (notices.length === 0 && kept.length === 0) return null
  return {
    effect: 'pass',
    ...(notices.length === 0 ? {} : { notices }),
    ...(kept.length === 0 ? {} : { remember: kept }),
  }
}
