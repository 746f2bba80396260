import { availableParallelism } from 'node:os'
import { type EvaluatorThread, startEvaluatorThread } from './evaluator-thread.ts'

/** In addition to the main thread, which evaluates too. More threads would only wait for each other. */
const THREADS_MAX = Math.max(1, Math.min(4, availableParallelism() - 1))
/** The number of queued requests for which another thread is worth starting. */
const BUSY = 4

/**
 * Several evaluators. Sessions are on disk and safe for many writers, so any thread may answer any request.
 * Another thread is started when the others are busy, gets requests once it is ready, and stays. Most users
 * never need a second one.
 */
export function startEvaluatorThreads(file: string, log: (line: string) => void): EvaluatorThread {
  const first = createCounted(startEvaluatorThread(file, log))
  const threads = [first]
  let isStarting = false
  const startAnother = async () => {
    isStarting = true
    const another = createCounted(startEvaluatorThread(file, log))
    await another.ready()
    threads.push(another)
    isStarting = false
  }
  const leastBusy = (): Counted => {
    const chosen = threads.reduce((least, each) => (each.open() < least.open() ? each : least), first)
    if (chosen.open() >= BUSY && threads.length < THREADS_MAX && !isStarting) void startAnother()
    return chosen
  }
  return {
    ready: first.ready,
    ask: (frame, receivedMs, waitMs) => leastBusy().ask(frame, receivedMs, waitMs),
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

interface Counted extends EvaluatorThread {
  open(): number
}

function createCounted(thread: EvaluatorThread): Counted {
  let open = 0
  return {
    ...thread,
    open: () => open,
    async ask(frame, receivedMs, waitMs) {
      open += 1
      try {
        return await thread.ask(frame, receivedMs, waitMs)
      } finally {
        open -= 1
      }
    },
  }
}
