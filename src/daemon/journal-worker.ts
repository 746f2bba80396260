import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type NotedHole, noteHole } from '../storage/journal/holes.ts'
import { type Journal, openJournal, type Retention } from '../storage/journal/journal.ts'
import { SPOOL } from '../storage/journal/spool.ts'
import type { JournalRecord, Store } from '../storage/journal/store.ts'
import { forgetSessions } from '../storage/state/file-state.ts'
import type { Home } from '../system/home.ts'

export interface JournalWorker {
  /** Imports the spool. With a retention it also deletes old records. Returns an error text for the log. */
  importSpool(retention?: Retention): Promise<string | undefined>
}

/** The folders that the journal's thread uses. */
export type JournalFolders = Pick<Home, 'folder' | 'managedConfig' | 'journal' | 'state'>

/** What ran undecided in a session that ended; undefined: nothing. */
export type FindHole = (end: JournalRecord, store: Store) => Promise<NotedHole | undefined>

/**
 * Moves the spool into the journal, on a separate thread: a locked database stalls the thread that waits for
 * it, and threads that answer must not wait. Records that could not be imported stay in the spool.
 */
export function createJournalWorker(
  folders: Pick<JournalFolders, 'journal' | 'state'>,
  findHole: FindHole,
): JournalWorker {
  let journal: Journal | undefined
  let seen = ''
  /** Sessions that ended before are not compared again. */
  let audited: number | undefined
  return {
    async importSpool(retention) {
      const now = spoolMark(folders.journal)
      if (now === '' || (now === seen && retention === undefined)) return undefined
      try {
        journal ??= await openJournal(folders.journal)
        audited ??= newest(journal.store)
        journal.importSpool()
        const { store } = journal
        audited = await noteHoles(store, folders.journal, audited, (end) => findHole(end, store))
        if (retention !== undefined) {
          journal.store.retain({ ...retention, now: new Date() })
          forgetSessions(folders.state, new Date())
        }
        seen = now
        return undefined
      } catch (error) {
        // Opened again next time: a broken database may have been moved away by then.
        close(journal)
        journal = undefined
        return error instanceof Error ? error.message : String(error)
      }
    },
  }
}

function newest(store: Pick<Store, 'read'>): number {
  const [last] = store.read({ limit: 1 })
  return last?.seq ?? 0
}

/**
 * Compares each session that ended since with its transcript. A transcript that cannot be read changes
 * nothing else. Returns the last record that was looked at, so that none is looked at twice.
 */
export async function noteHoles(
  store: Pick<Store, 'read'>,
  journal: string,
  after: number,
  findHole: (end: JournalRecord) => Promise<NotedHole | undefined>,
): Promise<number> {
  let last = Math.max(after, newest(store))
  for (const { seq, record } of store.read({ after, event: 'SessionEnd' })) {
    last = Math.max(last, seq)
    try {
      const hole = await findHole(record)
      if (hole !== undefined) noteHole(journal, hole)
    } catch {
      // `holdpoint audit` says what is wrong with it.
    }
  }
  return last
}

function close(journal: Journal | undefined): void {
  try {
    journal?.store.close()
  } catch {
    // It was already broken.
  }
}

function spoolMark(folder: string): string {
  const found = statSync(join(folder, SPOOL), { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino}:${found.size}`
}
