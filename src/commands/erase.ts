import { HoldpointError } from '../core/errors.ts'
import { eraseFromSpools } from '../storage/journal/erase-spool.ts'
import { openJournal } from '../storage/journal/journal.ts'
import type { Home } from '../system/home.ts'
import type { Caller } from './caller.ts'
import { requirePerson } from './person.ts'
import { recordPerson } from './person-record.ts'
import { visible } from './visible.ts'

/** Removes what a record holds, for good. That it was removed is itself recorded. */
export async function erase(caller: Caller, id: string, home: Home): Promise<void> {
  await requirePerson(caller, home, 'log --erase')
  const outcome = await eraseRecord(id, home)
  if (outcome === 'unknown') {
    throw new HoldpointError({ code: 'RECORD_UNKNOWN', message: `There is no record ${visible(id, 100)}.` })
  }
  if (outcome === 'unsealed') {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--erase',
      message: `Holdpoint 0.1.0 wrote the record ${visible(id, 100)}. Its text is part of the chain, so it cannot be erased alone.`,
      fix: 'Set `journal: { keepDays: N }` so that it is removed with the records before it.',
    })
  }
  recordPerson(caller, home, 'Erase', `The record ${id} was erased.`)
  caller.stdout.write(`Erased ${visible(id, 100)}. The chain still verifies: \`holdpoint log --verify\`.\n`)
}

/** Without the question who asks. */
async function eraseRecord(id: string, home: Home): Promise<'erased' | 'unknown' | 'unsealed'> {
  const { store, importSpool } = await openJournal(home.journal)
  try {
    importSpool()
    const outcome = store.erase(id)
    if (outcome === 'erased') eraseFromSpools(home.journal, id)
    return outcome
  } finally {
    store.close()
  }
}
