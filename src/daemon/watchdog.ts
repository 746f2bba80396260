import { Worker } from 'node:worker_threads'

/** To the thread: `cells` are shared with it. */
export interface WatchedCells {
  /** Counts beginnings and ends: odd while the watched thread is judging. */
  readonly turns: Int32Array
  /** Counts the signs of life it was asked for. */
  readonly pulse: Int32Array
}

export interface Watchdog {
  begin(): void
  end(): void
  stop(): Promise<void>
}

/**
 * Watches the thread that judges and accepts. Should it spin, nobody else in the process could answer: the process is
 * ended, its callers see the end and judge for themselves, and the next one starts another daemon.
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

/** What the watching thread knows of the watched one between two looks. */
export interface Suspicion {
  readonly turn: number
  /** The pulse when a sign of life was asked for. */
  readonly askedAt: number | undefined
  readonly looks: number
}

/** So many looks in a row without a sign of life. */
const LOOKS_MAX = 5

/** One look: is it well, shall it be asked for a sign of life, or is it lost? */
export function look(
  before: Suspicion | undefined,
  turn: number,
  pulse: number,
): { readonly then: 'well' | 'ask' | 'wait' | 'lost'; readonly suspicion: Suspicion | undefined } {
  if (turn % 2 === 0) return { then: 'well', suspicion: undefined }
  if (before?.turn !== turn) return { then: 'well', suspicion: { turn, askedAt: undefined, looks: 0 } }
  if (before.askedAt === undefined) return { then: 'ask', suspicion: { turn, askedAt: pulse, looks: 0 } }
  // It is alive and only waits, for a program or a file.
  if (before.askedAt !== pulse) return { then: 'ask', suspicion: { turn, askedAt: pulse, looks: 0 } }
  const looks = before.looks + 1
  return { then: looks >= LOOKS_MAX ? 'lost' : 'wait', suspicion: { ...before, looks } }
}
