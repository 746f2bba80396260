import type { Plan, PlanSettings } from '../core/plan/plan.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import type { Home } from '../system/home.ts'
import { createResponder } from './responder.ts'

/**
 * The plan of the user's own configuration and of managed policy, without that of any project. Undefined if the
 * configuration cannot be read.
 */
export async function ownPlan(home: Home): Promise<Plan | undefined> {
  const around = { state: createMemoryState(), now: () => performance.now() }
  // The daemon runs this in the background: writing a cache could create a home again that was deleted
  // meanwhile.
  const responder = createResponder({ home, ...around, uncached: true })
  const loaded = await responder.plan(home.journal)
  return loaded.ok ? loaded.value.plan : undefined
}

export async function ownSettings(home: Home): Promise<PlanSettings | undefined> {
  return (await ownPlan(home))?.settings
}
