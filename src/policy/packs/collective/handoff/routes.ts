import { actorKey, type KnownAgent, MAIN, UNKNOWN_PARENT } from '../../../../core/actor.ts'
import type { Patch } from '../../../../core/decision.ts'
import type { Event } from '../../../../core/event.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../../../core/json.ts'

/** The result of an agent's completion, as stored in its memory. The parent reads it from there. */
export interface HandoffRecord {
  readonly atMs: number
  readonly from: string
  /** The next agent, and the message for the parent. */
  readonly to?: string
  /** For the parent. Missing if there is nothing to say. */
  readonly tell?: string
  /** The workflow ends. */
  readonly failed?: boolean
}

const JUDGED = 'collective/judged'
const TOLD = 'collective/told'
const TOLD_KEPT = 200

export function judgedPatch(judged: HandoffRecord): Patch {
  return { op: 'set', key: JUDGED, value: { ...judged } }
}

export function judgedIn(memory: JsonObject | undefined): HandoffRecord | undefined {
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

/** A route that the acting agent, which started the other agent, has not received yet. */
export interface Pending extends HandoffRecord {
  readonly agent: string
  readonly tell: string
}

export function pendingFor(
  event: Event,
  agents: readonly KnownAgent[] = [],
  memory: JsonObject | undefined,
): readonly Pending[] {
  // Without memory the route would be sent again at every event.
  if (memory === undefined) return []
  const me = actorKey(event.agentId)
  const told: readonly Json[] = Array.isArray(memory[TOLD]) ? memory[TOLD] : []
  return agents.flatMap((agent): readonly Pending[] => {
    const judged = agent.id !== me && parentOf(agent) === me ? judgedIn(agent.memory) : undefined
    if (judged?.tell === undefined || told.includes(markOf(agent.id, judged))) return []
    return [{ ...judged, agent: agent.id, tell: judged.tell }]
  })
}

/** If the parent of an agent is unknown, no other event will deliver the route. */
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

function markOf(agent: string, { atMs }: HandoffRecord): string {
  return `${agent}@${atMs}`
}
