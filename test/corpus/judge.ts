import { buildCheckPlan } from '../../src/app/check-plan.ts'
import type { LoadedPlan } from '../../src/app/load-plan.ts'
import { rehearse } from '../../src/app/rehearse.ts'
import type { Effect } from '../../src/core/decision.ts'
import { frozenFacts } from '../../src/library/testing/events.ts'
import { decodeCall } from '../../src/tools/explain/call.ts'
import { GROUND, type Row } from './rows.ts'

export interface Verdict {
  readonly effect: Effect
  /** The guard that stopped it. */
  readonly guard: string | undefined
}

export type Judge = (row: Pick<Row, 'command' | 'event' | 'cwd' | 'platform'>) => Promise<Verdict>

export const PACKS = ['safety', 'secrets', 'self'] as const

/**
 * Decides rows in this process, with the same functions as `holdpoint check`. Nothing is executed or read
 * from disk.
 */
export async function createJudge(packs: readonly string[] = PACKS): Promise<Judge> {
  const loaded: LoadedPlan = await buildCheckPlan(packs, undefined)
  return async ({ command, event, cwd = GROUND.cwd, platform = GROUND.platform }) => {
    const call = event ?? {
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: command ?? '' },
    }
    const decoded = await decodeCall({ session_id: 'corpus', ...call, cwd }, cwd)
    const facts = frozenFacts({ ...GROUND, cwd, platform })
    const { decision } = await rehearse(loaded, decoded, { facts, skills: [] })
    const [first] = decision.reasons
    return { effect: decision.effect, guard: first?.guard }
  }
}

export function isFlagged({ effect }: Verdict): boolean {
  return effect === 'deny' || effect === 'ask'
}
