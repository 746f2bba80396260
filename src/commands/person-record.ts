import { randomBytes } from 'node:crypto'
import { appendToSpool } from '../storage/journal/spool.ts'
import type { JournalRecord } from '../storage/journal/store.ts'
import type { Home } from '../system/home.ts'
import { personHere } from '../system/person.ts'
import { findProject } from '../system/project.ts'
import type { Caller } from './caller.ts'

/** What a person did to the guards, by the name it has in the journal. */
type PersonEvent =
  | 'Accept'
  | 'Allow'
  | 'Enroll'
  | 'Erase'
  | 'Pause'
  | 'Permit'
  | 'Resume'
  | 'Revoke'
  | 'SigningKey'
  | 'Trust'
  | 'Unenroll'

/** Not an event of an agent, and in the journal all the same: what was done, by which user, at which terminal. */
export function recordPerson(caller: Caller, home: Home, event: PersonEvent, what: string): void {
  const kept = appendToSpool(home.journal, personRecord(caller, event, what))
  if (!kept.ok) caller.stderr.write(`holdpoint: ${kept.problem.message}\n`)
}

function personRecord(caller: Caller, event: string, what: string): JournalRecord {
  const now = new Date()
  return {
    id: `${now.getTime().toString(36)}-${randomBytes(6).toString('hex')}`,
    at: now.toISOString(),
    host: 'person',
    event,
    session: '',
    cwd: caller.cwd,
    project: findProject(caller.cwd),
    effect: 'pass',
    because: [],
    notices: [what],
    durationMs: 0,
    revision: '',
    extra: { ...personHere(), pid: process.pid },
  }
}
