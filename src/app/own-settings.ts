import type { PlanSettings } from '../core/plan/plan.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import type { Home } from '../system/home.ts'
import { createResponder } from './responder.ts'

/**
 * The settings of the user's own configuration and of managed policy, without those of any project. Undefined if the
 * configuration cannot be read.
 */
export async function ownSettings(home: Home): Promise<PlanSettings | undefined> {
  const around = { state: createMemoryState(), now: () => performance.now() }
  // The daemon runs this in the background: writing a cache could create a home again that was deleted
  // meanwhile.
  const responder = createResponder({ home, ...around, uncached: true })
  const loaded = await responder.plan(home.journal)
  return loaded.ok ? loaded.value.plan.settings : undefined
}
