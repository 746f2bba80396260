import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Journal, openJournal } from '../journal.ts'
import { SPOOL } from '../stores/spool.ts'
import type { Home } from '../world/home.ts'

export interface Keeper {
  /** Takes in what is there, and now and then drops what is too old. Returns what went wrong, for the log. */
  tend(): Promise<string | undefined>
}

const RETAIN_EVERY_MS = 60 * 60 * 1000

/**
 * Moves the spool into the journal, on a thread of its own: a database that somebody else has locked stalls whoever
 * waits for it, and nobody who answers may wait. What could not be taken in stays in the spool.
 */
export function createKeeper(home: Home): Keeper {
  let journal: Journal | undefined
  let seen = ''
  let retainedMs = 0
  return {
    async tend() {
      const now = spoolMark(home.journal)
      if (now === '' || now === seen) return undefined
      try {
        journal ??= await openJournal(home)
        journal.takeIn()
        if (Date.now() - retainedMs > RETAIN_EVERY_MS) {
          retainedMs = Date.now()
          await journal.retain()
        }
        seen = now
        return undefined
      } catch (error) {
        // Opened anew next time: what is broken may have been moved away by then.
        close(journal)
        journal = undefined
        return error instanceof Error ? error.message : String(error)
      }
    },
  }
}

function close(journal: Journal | undefined): void {
  try {
    journal?.store.close()
  } catch {
    // It was broken before.
  }
}

function spoolMark(folder: string): string {
  const found = statSync(join(folder, SPOOL), { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino}:${found.size}`
}
