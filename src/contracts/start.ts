import type { Patch } from '../decision.ts'
import type { Facts } from '../facts.ts'
import { isObject, type JsonObject } from '../json.ts'
import { localDate } from './names.ts'

/** When the acting agent began, as remembered at its start. */
export interface Start {
  readonly atMs: number
  readonly date: string
}

/** What to remember when an agent, or its session, begins. All contracts of one agent share it. */
export function startPatch(facts: Facts): Patch {
  return { op: 'set', key: BEGAN, value: { atMs: facts.now().getTime(), date: localDate(facts) } }
}

/** Undefined where the start was never seen, or is forgotten. */
export function startOf(memory: JsonObject | undefined): Start | undefined {
  const kept = memory?.[BEGAN]
  if (kept === undefined || !isObject(kept)) return undefined
  const { atMs, date } = kept
  const isDate = typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date)
  return typeof atMs === 'number' && isDate ? { atMs, date } : undefined
}

export function delegationPatch(facts: Facts): Patch {
  return { op: 'set', key: DELEGATED, value: facts.now().getTime() }
}

/** Whether the agent started another one since it began. */
export function hasDelegated(memory: JsonObject | undefined): boolean {
  const atMs = memory?.[DELEGATED]
  return typeof atMs === 'number' && atMs >= (startOf(memory)?.atMs ?? Number.NEGATIVE_INFINITY)
}

const BEGAN = 'contracts/began'
const DELEGATED = 'contracts/delegated'
