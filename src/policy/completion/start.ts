import type { Patch } from '../../core/decision.ts'
import type { Facts } from '../../core/facts.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { localDate } from './names.ts'

/** When the acting agent started, as remembered at its start. */
export interface Start {
  readonly atMs: number
  readonly date: string
}

/** What to remember when an agent or its session starts. All contracts of one agent share it. */
export function startPatch(facts: Facts): Patch {
  return { op: 'set', key: BEGAN, value: { atMs: facts.now().getTime(), date: localDate(facts) } }
}

/** Undefined if the start was not seen, or is no longer remembered. */
export function agentStart(memory: JsonObject | undefined): Start | undefined {
  const kept = memory?.[BEGAN]
  if (kept === undefined || !isObject(kept)) return undefined
  const { atMs, date } = kept
  const isDate = typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date)
  return typeof atMs === 'number' && isDate ? { atMs, date } : undefined
}

export function delegationPatch(facts: Facts): Patch {
  return { op: 'set', key: DELEGATED, value: facts.now().getTime() }
}

/** Whether the agent started another one since its start. */
export function hasDelegated(memory: JsonObject | undefined): boolean {
  const atMs = memory?.[DELEGATED]
  return typeof atMs === 'number' && atMs >= (agentStart(memory)?.atMs ?? Number.NEGATIVE_INFINITY)
}

const BEGAN = 'contracts/began'
const DELEGATED = 'contracts/delegated'
