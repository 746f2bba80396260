import type { Answer, Patch } from '../decision.ts'
import type { Event } from '../event.ts'
import type { JsonObject } from '../json.ts'
import type { Verdict } from './judge.ts'

/** Whose stop is judged, and how often it was held before. */
export interface Holding {
  /** What is counted under. */
  readonly key: string
  /** How a person knows what holds the agent. */
  readonly name: string
  readonly blocks: number
  readonly event: Event
  readonly memory: JsonObject | undefined
  /** What the agent reads when it is sent back. */
  readonly reason: string
  /** To be kept whatever comes of it. */
  readonly remember?: readonly Patch[]
}

/** A verdict as an answer: go, go back, or, when it was sent back often enough, go and let a person know. */
export function answerStop(verdict: Verdict, holding: Holding): Answer | null {
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
  const why = memory === undefined ? 'Its state cannot be read, so it is' : `Held ${before} times, then`
  const unmet = `${holding.name}: ${why} let go, although this is missing: ${verdict.missing.join(' ')}`
  return passing([...verdict.notices, unmet], [...remember, ...counted(holding, 0)], memory)
}

/**
 * How often this stop was held already. At the end of a session's turn the host says whether it was at all. A
 * sub-agent has one end: what was counted counts, also where a host never says so.
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
