import { STORES } from './index.ts'
import { ingestSpool } from './ingest.ts'
import type { Store } from './store.ts'

/** How long records are kept. */
export interface Retention {
  readonly keepDays: number
  readonly keepMegabytes: number
}

/** The user's open journal. Not used by hooks, because it waits for locks. */
export interface Journal {
  readonly store: Store
  /** Moves the records of the spool into the journal. Returns how many there were. */
  importSpool(): number
}

/** `folder`: contains the database and the spool. */
export async function openJournal(folder: string): Promise<Journal> {
  const { openSqliteStore } = await STORES.sqlite()
  const store = openSqliteStore(folder)
  return { store, importSpool: () => ingestSpool(folder, store).ingested }
}
