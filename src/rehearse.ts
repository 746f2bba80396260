import { type Decided, decide } from './decide.ts'
import type { Answer, Failure } from './decision.ts'
import type { Desk } from './desk.ts'
import { deskFor } from './desk-for.ts'
import type { Event } from './event.ts'
import type { Facts } from './facts.ts'
import { ALL_ABILITIES } from './hosts/host.ts'
import type { LoadedPlan } from './load-plan.ts'
import type { Plan } from './plan.ts'
import { createMemoryState } from './state/memory-state.ts'

/** A call tried out: everything is judged, nothing is committed. */
export interface Rehearsal extends Decided {
  readonly plan: Plan
  readonly trace: readonly Traced[]
  /** The same of what happened before. */
  readonly earlier: readonly Traced[]
}

export interface Traced {
  readonly order: number
  readonly outcome: Answer | Failure | null
  readonly durationMs: number
}

export interface RehearsalOptions {
  readonly facts: Facts
  readonly skills: readonly string[]
  /** Nobody will look at who said what. */
  readonly untraced?: boolean
  /** What happened in the session before, oldest first: remembered for this rehearsal alone. */
  readonly before?: readonly { readonly event: Event; readonly skills: readonly string[] }[]
}

/** Tries a call on a plan; nothing is read from or written to any session's state. */
export async function rehearse(
  loaded: LoadedPlan,
  event: Event,
  options: RehearsalOptions,
): Promise<Rehearsal> {
  const trace: Traced[] = []
  const earlier: Traced[] = []
  const around = { state: createMemoryState(), now: () => performance.now() }
  const desk = (skills: readonly string[], into: Traced[]): Desk => ({
    ...deskFor(loaded, around, options.facts, ALL_ABILITIES, skills),
    ...(options.untraced === true
      ? {}
      : { trace: (order, outcome, durationMs) => into.push({ order, outcome, durationMs }) }),
  })
  for (const { event: past, skills } of options.before ?? []) {
    await decide(past, { ...desk(skills, earlier), applyFiles: () => ({ ok: true, value: undefined }) })
  }
  const decided = await decide(event, desk(options.skills, trace))
  return { ...decided, plan: loaded.plan, trace, earlier }
}
