import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { eventually, type Station } from '../faults/station.ts'

/** Somebody else locks the journal, once there is one and nobody writes to it. Returns what lets go of it. */
export async function lockJournal({ home }: Station): Promise<() => void> {
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
