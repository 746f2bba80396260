import { parentPort, workerData } from 'node:worker_threads'
import { createPartScanner } from './scan.ts'
import type { PartMessage, ThreadMessage } from './threads.ts'

/** Progress is told no more often than this many bytes. */
const REPORT_EVERY_BYTES = 2 * 1024 * 1024

/** A scanning thread: a part in, its tally out, until it is ended. A fault in here ends the thread. */
export function serveScans(): void {
  const scan = createPartScanner(workerData.request, { now: () => performance.now() })
  const say = (message: ThreadMessage) => parentPort?.postMessage(message)
  parentPort?.on('message', async ({ part }: PartMessage) => {
    let told = 0
    const tally = await scan(part, (bytes) => {
      if (bytes - told < REPORT_EVERY_BYTES) return
      told = bytes
      say({ kind: 'bytes', bytes })
    })
    say({ kind: 'done', tally })
  })
}
