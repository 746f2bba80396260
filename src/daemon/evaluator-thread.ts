import { Worker } from 'node:worker_threads'
import type { MaybePromise } from '../core/maybe-async.ts'

/** To the thread. Without a frame it is a ping. */
export type ThreadRequest =
  | { readonly id: number; readonly frame: Uint8Array; readonly receivedMs: number }
  | { readonly id: number }

/** From the thread. `trouble` is for the log; an answer without a reply is the answer to a ping. */
export type ThreadReply = { readonly id: number; readonly reply?: Uint8Array } | { readonly trouble: string }

export interface EvaluatorThread {
  /**
   * The encoded reply. `late`: none came in time; if the thread does not answer a ping either, it was ended.
   * `lost`: the thread died. In both cases the next request gets a working thread.
   */
  ask(frame: Buffer, receivedMs: number, waitMs: number): MaybePromise<Uint8Array | 'late' | 'lost'>
  /** Resolves when the thread has loaded its code. */
  ready(): Promise<unknown>
  stop(): Promise<void>
}

const READY_MAX_MS = 60_000

interface Waiting {
  settle(result: Uint8Array | 'late' | 'lost'): void
}

export interface ThreadLimits {
  /** The old generation of the evaluator's heap. A memory leak there ends only its thread, not the daemon. */
  readonly heapMaxMb: number
  /** The longest time that a live thread needs to answer a ping. */
  readonly signOfLifeMs: number
  /** Without a request for so long, the thread ends. A warm one has 60 MB, and a burst may need it only once. */
  readonly idleMs: number
}

const LIMITS: ThreadLimits = { heapMaxMb: 1_024, signOfLifeMs: 2_000, idleMs: 30_000 }

/**
 * An evaluator in another thread, started at the first request. This side only waits: it survives every
 * failure of the thread, keeps the deadline, and starts a new thread when the old one is gone.
 */
export function startEvaluatorThread(
  file: string,
  log: (line: string) => void,
  { heapMaxMb, signOfLifeMs, idleMs }: ThreadLimits = LIMITS,
): EvaluatorThread {
  let nextId = 0
  let worker: Worker | undefined
  const waiting = new Map<number, Waiting>()
  const idle = setTimeout(() => {
    if (waiting.size > 0 || worker === undefined) return
    const thread = worker
    worker = undefined
    void thread.terminate()
  }, idleMs).unref()

  const begin = (): Worker => {
    const thread = new Worker(file, { env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMaxMb } })
    thread.on('message', (word: ThreadReply) => {
      if ('trouble' in word) log(word.trouble)
      else waiting.get(word.id)?.settle(word.reply ?? 'lost')
    })
    thread.on('error', (error) => log(`the evaluator failed: ${error.message}`))
    thread.on('exit', () => {
      if (worker !== thread) return
      worker = undefined
      for (const each of [...waiting.values()]) each.settle('lost')
    })
    worker = thread
    return thread
  }

  const ask = (question: (id: number) => ThreadRequest, waitMs: number) =>
    new Promise<Uint8Array | 'late' | 'lost'>((resolve) => {
      const id = nextId++
      const timer = setTimeout(() => settle('late'), waitMs)
      const settle = (result: Uint8Array | 'late' | 'lost') => {
        clearTimeout(timer)
        waiting.delete(id)
        idle.refresh()
        resolve(result)
      }
      waiting.set(id, { settle })
      const thread = worker ?? begin()
      thread.postMessage(question(id))
    })

  const endIfSilent = async () => {
    const thread = worker
    if (thread === undefined || (await ask((id) => ({ id }), signOfLifeMs)) !== 'late') return
    if (worker !== thread) return
    log('the evaluator does not answer and is replaced')
    worker = undefined
    for (const each of [...waiting.values()]) each.settle('lost')
    await thread.terminate()
  }

  return {
    async ask(frame, receivedMs, waitMs) {
      const result = await ask((id) => ({ id, frame, receivedMs }), waitMs)
      if (result === 'late') void endIfSilent()
      return result
    },
    ready: () => ask((id) => ({ id }), READY_MAX_MS),
    async stop() {
      clearTimeout(idle)
      await worker?.terminate()
    },
  }
}
