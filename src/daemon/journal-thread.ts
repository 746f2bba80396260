import { Worker } from 'node:worker_threads'
import type { Retention } from '../storage/journal/journal.ts'
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

/** How long records are kept; undefined: nothing is deleted now. */
type AskRetention = () => Promise<Retention | undefined>

const RETAIN_EVERY_MS = 60 * 60 * 1000
/** Reading the configuration takes time that the first calls of a daemon need. */
const RETAIN_FIRST_MS = 60 * 1000

/**
 * The journal's thread. If it stalls, fails or dies, the daemon only notes that, and records wait in the
 * spool.
 */
export function startJournalThread(
  file: string,
  { journal, state }: JournalFolders,
  log: Log,
  retention: AskRetention = async () => undefined,
): JournalThread {
  const home = { journal, state }
  let worker: Worker | undefined
  let busy = false
  let wrong: string | undefined
  let retainedMs = Date.now() - RETAIN_EVERY_MS + RETAIN_FIRST_MS
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
    if (Date.now() - retainedMs < RETAIN_EVERY_MS) return thread.postMessage(null)
    retainedMs = Date.now()
    void retention().then(
      (limits) => thread.postMessage(limits ?? null),
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
