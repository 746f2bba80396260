import { Worker } from 'node:worker_threads'
import type { JournalSettings } from '../app/journal-settings.ts'
import type { JournalFolders } from './journal-worker.ts'
import type { Log } from './log.ts'

export interface JournalThread {
  /** Tells the thread to read the spool, unless it is still busy. */
  importSpool(): void
  /** The last problem with the journal; undefined if there is none. */
  trouble(): string | undefined
  /** Reads the spool one last time, for at most `waitMs`. */
  stop(waitMs: number): Promise<void>
}

/** Undefined: the configuration cannot be read, so nothing is deleted and nothing changes. */
type AskSettings = () => Promise<JournalSettings | undefined>

const ASK_EVERY_MS = 60 * 60 * 1000
/** Reading the configuration takes time that the first calls of a daemon need. */
const ASK_FIRST_MS = 20 * 1000

/**
 * The journal's thread. If it stalls, fails or dies, the daemon only notes that, and records wait in the
 * spool.
 */
export function startJournalThread(
  file: string,
  { folder, managedConfig, journal, state }: JournalFolders,
  log: Log,
  settings: AskSettings = async () => undefined,
): JournalThread {
  const home = { folder, managedConfig, journal, state }
  let worker: Worker | undefined
  let busy = false
  let wrong: string | undefined
  let askedMs = Date.now() - ASK_EVERY_MS + ASK_FIRST_MS
  let done: (() => void) | undefined
  const report = (trouble: string | undefined) => {
    busy = false
    if (trouble !== undefined && trouble !== wrong) log(`the journal: ${trouble}`)
    wrong = trouble
    done?.()
  }
  const begin = () => {
    const thread = new Worker(file, { env: {}, workerData: { home } })
    thread.unref()
    thread.on('message', (trouble: string | null) => report(trouble ?? undefined))
    thread.on('error', (error) => report(error.message))
    thread.on('exit', () => {
      worker = undefined
      busy = false
      done?.()
    })
    worker = thread
    return thread
  }
  const importSpool = () => {
    if (busy) return
    busy = true
    const thread = worker ?? begin()
    if (Date.now() - askedMs < ASK_EVERY_MS) return thread.postMessage(null)
    askedMs = Date.now()
    void settings().then(
      (known) => thread.postMessage(known ?? null),
      () => thread.postMessage(null),
    )
  }
  return {
    importSpool,
    trouble: () => wrong,
    async stop(waitMs) {
      const waited = new Promise<void>((resolve) => {
        done = resolve
        setTimeout(resolve, waitMs)
      })
      importSpool()
      await waited
      await worker?.terminate()
    },
  }
}
