import { existsSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '../../core/json.ts'
import { type Journal, openJournal } from '../../storage/journal/journal.ts'
import type { ChainPart } from '../../storage/journal/store.ts'
import type { JournalFolders } from '../journal-worker.ts'
import type { FleetWork } from '../load-fleet.ts'
import { createFleetClient } from './client.ts'

/** The part of the journal thread that is for fleets, with the clock, the chance and the journal of this machine. */
export function startFleet(home: JournalFolders): FleetWork {
  const chain = journalReader(home.journal)
  let facts: JsonObject = {}
  const client = createFleetClient({
    home,
    chain,
    identity: identity(),
    now: () => new Date(),
    chance: Math.random,
  })
  return {
    tick(settings) {
      if (settings !== undefined) facts = settings.facts
      client.tick(facts)
    },
    trouble: () => client.trouble(),
  }
}

/** A connection of its own: the import may be in the middle of a transaction. Opened when there is a journal. */
function journalReader(folder: string): (after: number, limit: number) => ChainPart | undefined {
  let journal: Journal | undefined
  let opening: Promise<void> | undefined
  return (after, limit) => {
    if (journal === undefined) {
      if (!existsSync(join(folder, 'journal.db'))) return undefined
      opening ??= openJournal(folder).then(
        (opened) => {
          journal = opened
        },
        () => {
          opening = undefined
        },
      )
      return undefined
    }
    try {
      return journal.store.chain(after, limit)
    } catch (error) {
      // Opened again next time: a broken database may have been moved away by then.
      journal = undefined
      opening = undefined
      throw error
    }
  }
}

function identity(): JsonObject {
  return { hostname: hostname(), user: userName(), platform: `${process.platform}-${process.arch}` }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A user id without a name, as in some containers.
    return String(process.getuid?.() ?? '')
  }
}
