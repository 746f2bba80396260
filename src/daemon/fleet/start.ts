import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { fleetFolder } from '../../config/bundle/enrollment.ts'
import type { TelemetryPackage } from '../../core/fleet-package.ts'
import type { JsonObject } from '../../core/json.ts'
import { openJournal } from '../../storage/journal/journal.ts'
import type { Store } from '../../storage/journal/store.ts'
import { fleetPackageFile } from '../../system/package.ts'
import type { JournalFolders } from '../journal-worker.ts'
import type { FleetWork } from '../load-fleet.ts'
import { createFleetClient } from './client.ts'
import { createTelemetryExport } from './export-telemetry.ts'

/** The part of the journal thread that is for fleets, with the clock, the chance and the journal of this machine. */
export function startFleet(home: JournalFolders): FleetWork {
  const journal = journalReader(home.journal)
  const around = { now: () => new Date(), chance: Math.random }
  let facts: JsonObject = {}
  const client = createFleetClient({
    home,
    chain: (after, limit) => journal()?.chain(after, limit),
    identity: identity(),
    ...around,
  })
  const telemetry = createTelemetryExport({
    folder: fleetFolder(home),
    journal,
    load: loadTelemetry,
    environment: process.env,
    ...around,
  })
  return {
    tick(settings) {
      if (settings !== undefined) {
        facts = settings.facts
        telemetry.use(settings.telemetry)
      }
      client.tick(facts)
      telemetry.tick()
    },
    trouble: () => client.trouble() ?? telemetry.trouble(),
  }
}

/** Undefined: the package is not installed. */
function loadTelemetry(): TelemetryPackage | undefined {
  const file = fleetPackageFile('telemetry')
  return file === undefined ? undefined : createRequire(file)(file)
}

/** A connection of its own: the import may be in the middle of a transaction. Opened when there is a journal. */
function journalReader(folder: string): () => Store | undefined {
  let opened: { readonly store: Store; readonly inode: number } | undefined
  let isOpening = false
  return () => {
    const inode = statSync(join(folder, 'journal.db'), { throwIfNoEntry: false })?.ino
    // A journal that was moved away is not the one that goes on.
    if (opened !== undefined && opened.inode === inode) return opened.store
    opened?.store.close()
    opened = undefined
    if (inode === undefined) return undefined
    if (isOpening) return undefined
    isOpening = true
    openJournal(folder)
      .then(({ store }) => {
        opened = { store, inode }
      })
      .catch(() => {
        // The thread itself reports what is wrong with the journal.
      })
      .finally(() => {
        isOpening = false
      })
    return undefined
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
