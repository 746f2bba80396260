import { createResponder } from './responder.ts'
import { forgetSessions } from './state/file-state.ts'
import { createMemoryState } from './state/memory-state.ts'
import { STORES } from './stores/index.ts'
import { ingestSpool } from './stores/ingest.ts'
import type { Store } from './stores/store.ts'
import type { Home } from './world/home.ts'

/** The user's journal, opened. Never on the hook path: a lock here waits. */
export interface Journal {
  readonly store: Store
  /** Moves what hooks left in the spool into the journal; says how many records that were. */
  takeIn(): number
  /** Old records and forgotten sessions go, as the user's own configuration says: no project may shorten the journal. */
  retain(): Promise<void>
}

const SESSIONS_KEPT_DAYS = 30

export async function openJournal(home: Home): Promise<Journal> {
  const { openSqliteStore } = await STORES.sqlite()
  const store = openSqliteStore(home.journal)
  return {
    store,
    takeIn: () => ingestSpool(home.journal, store).ingested,
    async retain() {
      const around = { state: createMemoryState(), now: () => performance.now() }
      // A daemon asks this in the background: a cache would bring back a home that is deleted meanwhile.
      const responder = createResponder({ home, ...around, uncached: true })
      const loaded = await responder.plan(home.journal)
      if (!loaded.ok) return
      const { keepDays, keepMegabytes } = loaded.value.plan.settings.journal
      store.retain({ keepDays, keepMegabytes, now: new Date() })
      forgetSessions(home.state, SESSIONS_KEPT_DAYS, new Date())
    },
  }
}
