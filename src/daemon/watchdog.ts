import { Worker } from 'node:worker_threads'

/** The memory that both threads share. */
export interface WatchedCells {
  /** Counts starts and ends: odd while the watched thread is evaluating. */
  readonly turns: Int32Array
  /** Counts the answers to pings. */
  readonly pulse: Int32Array
}

export interface Watchdog {
  begin(): void
  end(): void
  stop(): Promise<void>
}

/**
 * Watches the main thread, which evaluates and accepts connections. If it hangs in an endless loop, no other
 * thread could answer. The process is then ended: its callers notice and decide by themselves, and the next
 * caller starts another daemon.
 */
export function startWatchdog(file: string, run: string): Watchdog {
  const cells: WatchedCells = {
    turns: new Int32Array(new SharedArrayBuffer(4)),
    pulse: new Int32Array(new SharedArrayBuffer(4)),
  }
  const worker = new Worker(file, { env: {}, workerData: { ...cells, run } })
  worker.unref()
  worker.on('message', () => Atomics.add(cells.pulse, 0, 1))
  const turn = () => Atomics.add(cells.turns, 0, 1)
  return {
    begin: turn,
    end: turn,
    async stop() {
      await worker.terminate()
    },
  }
}

/** What the watching thread knows about the watched one between two checks. */
export interface Suspicion {
  readonly turn: number
  /** The pulse when the ping was sent. */
  readonly askedAt: number | undefined
  readonly unansweredChecks: number
}

/** After this many checks in a row without an answer to the ping, the thread is lost. */
const UNANSWERED_MAX = 5

/** One check: is the thread fine, does it get a ping, or is it lost? */
export function watchOnce(
  before: Suspicion | undefined,
  turn: number,
  pulse: number,
): { readonly then: 'well' | 'ask' | 'wait' | 'lost'; readonly suspicion: Suspicion | undefined } {
  if (turn % 2 === 0) return { then: 'well', suspicion: undefined }
  if (before?.turn !== turn)
    return { then: 'well', suspicion: { turn, askedAt: undefined, unansweredChecks: 0 } }
  if (before.askedAt === undefined)
    return { then: 'ask', suspicion: { turn, askedAt: pulse, unansweredChecks: 0 } }
  // It is alive and only waits, for a program or a file.
  if (before.askedAt !== pulse)
    return { then: 'ask', suspicion: { turn, askedAt: pulse, unansweredChecks: 0 } }
  const unansweredChecks = before.unansweredChecks + 1
  return {
    then: unansweredChecks >= UNANSWERED_MAX ? 'lost' : 'wait',
    suspicion: { ...before, unansweredChecks },
  }
}
