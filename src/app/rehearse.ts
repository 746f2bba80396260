import type { Decided } from '../core/engine/decide.ts'
import type { Trace } from '../core/engine/run-hooks.ts'
import type { Event } from '../core/event.ts'
import type { Facts } from '../core/facts.ts'
import type { Abilities } from '../core/host.ts'
import type { Plan } from '../core/plan/plan.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import { decideEvent, type EventContext, type TracedRun } from './decide-event.ts'
import type { LoadedPlan } from './load-plan.ts'

/** A call that is only tried: every hook answers, and nothing is saved. */
export interface Rehearsal extends Decided {
  readonly plan: Plan
  readonly trace: readonly TracedRun[]
  /** The findings of the events before it. */
  readonly earlier: readonly TracedRun[]
}

export interface RehearsalOptions {
  readonly facts: Facts
  readonly skills: readonly string[]
  /** What the host supports. Missing: everything. */
  readonly can?: Abilities
  /** The caller does not need the trace. */
  readonly untraced?: boolean
  /** Earlier events of the session, oldest first, remembered only for this rehearsal. */
  readonly before?: readonly { readonly event: Event; readonly skills: readonly string[] }[]
}

const NOTHING_REMEMBERED = createMemoryState()

/** Tries a call with a plan. The state of real sessions is neither read nor written. */
export async function rehearse(
  loaded: LoadedPlan,
  event: Event,
  options: RehearsalOptions,
): Promise<Rehearsal> {
  const trace: TracedRun[] = []
  const earlier: TracedRun[] = []
  const { plan, engine, maskers } = loaded
  // Only what came before is remembered.
  const state = options.before === undefined ? NOTHING_REMEMBERED : createMemoryState()
  const contextFor = (
    skills: readonly string[],
    keeps: 'state' | 'nothing',
    into: TracedRun[],
  ): EventContext => ({
    engine,
    state,
    facts: options.facts,
    maskers,
    stopBlocksMax: plan.settings.stopBlocksMax,
    now,
    can: options.can,
    skills,
    trace: options.untraced === true ? undefined : tracedInto(into),
    keeps,
  })
  for (const { event: past, skills } of options.before ?? []) {
    await decideEvent(past, contextFor(skills, 'state', earlier))
  }
  const decided = await decideEvent(event, contextFor(options.skills, 'nothing', trace))
  const { decision, actor, repeated } = decided
  return { decision, actor, repeated, plan, trace, earlier }
}

function now(): number {
  return performance.now()
}

function tracedInto(runs: TracedRun[]): Trace {
  return (hookIndex, outcome, durationMs) => runs.push({ hookIndex, outcome, durationMs })
}
