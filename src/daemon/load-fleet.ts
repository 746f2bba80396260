import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { JournalSettings } from '../app/journal-settings.ts'
import { enrollmentFile, fleetFolder, systemFleetFolder } from '../config/bundle/enrollment.ts'
import { programFile } from '../system/package.ts'
import type { JournalFolders } from './journal-worker.ts'

/** What the journal thread does for a fleet; nothing on a machine that has none. */
export interface FleetWork {
  tick(settings: JournalSettings | undefined): void
  trouble(): string | undefined
}

/** Loaded when it is needed for the first time, so that other machines pay two `stat` calls a second. */
export function loadFleet(home: JournalFolders): FleetWork {
  const files = [systemFleetFolder(home), fleetFolder(home)].map(enrollmentFile)
  let work: FleetWork | undefined
  let wrong: string | undefined
  return {
    tick(settings) {
      const isNeeded =
        files.some((file) => existsSync(file)) || Object.keys(settings?.telemetry ?? {}).length > 0
      if (work === undefined && !isNeeded) return
      try {
        work ??= load().startFleet(home)
        work.tick(settings)
        wrong = undefined
      } catch (error) {
        wrong = error instanceof Error ? error.message : String(error)
      }
    },
    trouble: () => wrong ?? work?.trouble(),
  }
}

interface FleetProgram {
  startFleet(home: JournalFolders): FleetWork
}

function load(): FleetProgram {
  const file = programFile('fleet')
  return createRequire(file)(file)
}
