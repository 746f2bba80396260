import { Worker } from 'node:worker_threads'
import type { TranscriptSession } from '../history/find-transcripts.ts'
import type { ScanOptions, ScanRequest } from './scan.ts'
import type { ScanTally } from './tally.ts'

type Part = readonly TranscriptSession[]

/** To a thread: a part to scan. */
export interface PartMessage {
  readonly part: Part
}

/** From a thread: how far it is, or that the part is done. */
export type ThreadMessage =
  | { readonly kind: 'bytes'; readonly bytes: number }
  | { readonly kind: 'done'; readonly tally: ScanTally }

/** Of one thread; memory beyond this ends the thread, not the scan. */
const HEAP_MAX_MB = 512
/** What a call leaves behind is garbage at once: a small nursery keeps memory flat, however many calls there are. */
const YOUNG_MAX_MB = 16

/**
 * Parts go to whichever thread is free. A thread that dies gives its part back, and the caller does it: what one session
 * broke must not be missing from the result in silence.
 */
export async function runThreads(
  parts: readonly Part[],
  request: ScanRequest,
  options: ScanOptions & { readonly threadFile: string; readonly threads: number },
  take: (tally: ScanTally) => void,
): Promise<readonly Part[]> {
  const waiting = [...parts]
  const lost: Part[] = []
  let doneBytes = 0
  const running = new Map<number, number>()
  const report = () => {
    let bytes = doneBytes
    for (const each of running.values()) bytes += each
    options.onBytes?.(bytes)
  }
  const run = (id: number) =>
    new Promise<void>((resolve) => {
      const worker = new Worker(options.threadFile, {
        env: {},
        workerData: { request },
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB, maxYoungGenerationSizeMb: YOUNG_MAX_MB },
      })
      let current: Part | undefined
      const next = () => {
        current = waiting.shift()
        if (current === undefined) void worker.terminate()
        else worker.postMessage({ part: current } satisfies PartMessage)
      }
      worker.on('message', (message: ThreadMessage) => {
        if (message.kind === 'bytes') running.set(id, message.bytes)
        else {
          doneBytes += message.tally.bytes
          running.delete(id)
          take(message.tally)
          next()
        }
        report()
      })
      // `exit` follows, and says the rest.
      worker.on('error', () => {})
      worker.on('exit', () => {
        if (current !== undefined) lost.push(current)
        running.delete(id)
        resolve()
      })
      next()
    })
  await Promise.all(Array.from({ length: Math.min(options.threads, parts.length) }, (_, id) => run(id)))
  return [...lost, ...waiting]
}
