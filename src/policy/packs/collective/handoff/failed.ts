import type { Patch } from '../../../../core/decision.ts'
import type { Event } from '../../../../core/event.ts'
import { isObject, type JsonObject, textAt } from '../../../../core/json.ts'

/**
 * A workflow that ends without a word leaves an unattended run with an empty result. So the agent gets one turn to
 * say why; if it goes on working instead, it is stopped.
 */
export function tellUser(why: string): string {
  return `${why}\nThe workflow has failed. Tell the user why and what would fix it, then end your turn. Do not start another agent and do not call another tool.`
}

export function failedPatch(why: string, { promptId }: Event): Patch {
  return { op: 'set', key: FAILED, value: { why: why.slice(0, WHY_CHARACTERS_MAX), prompt: promptId ?? '' } }
}

const FAILED = 'collective/failed'
const WHY_CHARACTERS_MAX = 2_000

/** Why the workflow of this prompt has failed, if the agent was told so. */
export function failedBefore(memory: JsonObject | undefined, { promptId }: Event): string | undefined {
  const kept = memory?.[FAILED]
  if (kept === undefined || !isObject(kept) || promptId === undefined) return undefined
  return kept.prompt === promptId ? textAt(kept, 'why') : undefined
}
