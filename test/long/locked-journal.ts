import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import type { Installation } from '../faults/installation.ts'
import { eventually } from '../processes.ts'

/**
 * Locks the journal from another process, once it exists and is not being written. Returns a function that
 * unlocks it.
 */
export async function lockJournal({ home }: Installation): Promise<() => void> {
  const file = join(home.journal, 'journal.db')
  await eventually(() => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0, 'there is a journal')
  const db = new Database(file)
  await eventually(() => begins(db), 'the journal is locked')
  return () => {
    db.exec('commit')
    db.close()
  }
}

function begins(db: Database.Database): boolean {
  try {
    db.exec('begin exclusive')
    return true
  } catch {
    return false
  }
}
