import { Worker } from 'node:worker_threads'
import type { Home } from '../world/home.ts'
import type { Log } from './log.ts'

export interface KeeperThread {
  /** Lets the thread look at the spool, unless it is still busy. */
  tend(): void
  /** What last went wrong with the journal; undefined when all is well. */
  trouble(): string | undefined
  /** One last look, as long as that takes within `waitMs`. */
  stop(waitMs: number): Promise<void>
}

/** The journal's thread. It may stall, fail or die: the daemon only takes note, and records wait in the spool. */
export function startKeeperThread(file: string, home: Home, log: Log): KeeperThread {
  let worker: Worker | undefined
  let busy = false
  let wrong: string | undefined
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
  const tend = () => {
    if (busy) return
    busy = true
    const thread = worker ?? begin()
    thread.postMessage('tend')
  }
  return {
    tend,
    trouble: () => wrong,
    async stop(waitMs) {
      const waited = new Promise<void>((resolve) => {
        done = resolve
        setTimeout(resolve, waitMs)
      })
      tend()
      await waited
      await worker?.terminate()
    },
  }
}
