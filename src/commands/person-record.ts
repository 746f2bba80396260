import { randomBytes } from 'node:crypto'
import { appendToSpool } from '../stores/spool.ts'
import type { JournalRecord } from '../stores/store.ts'
import type { Home } from '../world/home.ts'
import { findProject } from '../world/project.ts'

/** What a person did to the guards: no event of an agent, and in the journal all the same. */
export function recordPerson(home: Home, event: 'Accept' | 'Allow' | 'Pause', what: string): void {
  const kept = appendToSpool(home.journal, personRecord(event, what))
  if (!kept.ok) process.stderr.write(`holdpoint: ${kept.problem.message}\n`)
}

function personRecord(event: string, what: string): JournalRecord {
  const now = new Date()
  return {
    id: `${now.getTime().toString(36)}-${randomBytes(6).toString('hex')}`,
    at: now.toISOString(),
    host: 'person',
    event,
    session: '',
    cwd: process.cwd(),
    project: findProject(process.cwd()),
    effect: 'pass',
    because: [],
    notices: [what],
    durationMs: 0,
    revision: '',
  }
}
