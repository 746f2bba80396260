import type { Retention } from '../storage/journal/journal.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import type { Home } from '../system/home.ts'
import { createResponder } from './responder.ts'

/**
 * How long records are kept, from the user's own configuration: a project may not shorten the journal.
 * Undefined if the configuration cannot be read: then nothing is deleted.
 */
export async function retentionOf(home: Home): Promise<Retention | undefined> {
  const around = { state: createMemoryState(), now: () => performance.now() }
  // The daemon runs this in the background: writing a cache could create a home again that was deleted
  // meanwhile.
  const responder = createResponder({ home, ...around, uncached: true })
  const loaded = await responder.plan(home.journal)
  if (!loaded.ok) return undefined
  const { keepDays, keepMegabytes } = loaded.value.plan.settings.journal
  return { keepDays, keepMegabytes }
}
