import { actorKey, type KnownAgent, MAIN, UNKNOWN_PARENT } from '../../../actor.ts'
import type { Patch } from '../../../decision.ts'
import type { Event } from '../../../event.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../../json.ts'

/** What became of an agent's completion, as kept in its memory. Its parent reads it from there. */
export interface Judged {
  readonly atMs: number
  readonly from: string
  /** The next agent, and the words for the parent. */
  readonly to?: string
  /** For the parent. Missing: there is nothing to tell. */
  readonly tell?: string
  /** The workflow ends. */
  readonly failed?: boolean
}

const JUDGED = 'collective/judged'
const TOLD = 'collective/told'
const TOLD_KEPT = 200

export function judgedPatch(judged: Judged): Patch {
  return { op: 'set', key: JUDGED, value: { ...judged } }
}

export function judgedIn(memory: JsonObject | undefined): Judged | undefined {
  const kept = memory?.[JUDGED]
  if (kept === undefined || !isObject(kept) || typeof kept.atMs !== 'number') return undefined
  const to = textAt(kept, 'to')
  const tell = textAt(kept, 'tell')
  return {
    atMs: kept.atMs,
    from: textAt(kept, 'from') ?? '',
    ...(to === undefined ? {} : { to }),
    ...(tell === undefined ? {} : { tell }),
    ...(kept.failed === true ? { failed: true } : {}),
  }
}

/** A route that the acting agent, who started the other one, has not heard of yet. */
export interface Pending extends Judged {
  readonly agent: string
  readonly tell: string
}

export function pendingFor(
  event: Event,
  agents: readonly KnownAgent[] = [],
  memory: JsonObject | undefined,
): readonly Pending[] {
  // Who cannot remember having told would tell for ever.
  if (memory === undefined) return []
  const me = actorKey(event.agentId)
  const told: readonly Json[] = Array.isArray(memory[TOLD]) ? memory[TOLD] : []
  return agents.flatMap((agent): readonly Pending[] => {
    const judged = agent.id !== me && parentOf(agent) === me ? judgedIn(agent.memory) : undefined
    if (judged?.tell === undefined || told.includes(markOf(agent.id, judged))) return []
    return [{ ...judged, agent: agent.id, tell: judged.tell }]
  })
}

/** Nobody else will tell whoever is in charge of an agent of unknown origin. */
function parentOf({ parent }: KnownAgent): string {
  return parent === undefined || parent === UNKNOWN_PARENT ? MAIN : parent
}

export function toldPatches(pending: readonly Pending[]): readonly Patch[] {
  return pending.map((each) => ({
    op: 'push',
    key: TOLD,
    value: markOf(each.agent, each),
    keep: TOLD_KEPT,
  }))
}

function markOf(agent: string, { atMs }: Judged): string {
  return `${agent}@${atMs}`
}
