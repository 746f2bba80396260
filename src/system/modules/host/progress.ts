/**
 * How far the main thread is, in memory that the watcher reads too: a module may hold the main thread forever, so the
 * watcher has to say so. Written for every call, therefore without messages between the threads.
 */
export interface LoopProgress {
  /** Loading a module may take longer than a call. */
  set(phase: 'idle' | 'loading' | 'running' | 'waiting', batch: number, call: number): void
  /** The event loop came by. */
  beat(): void
}

export interface ProgressView {
  readonly phase: 'idle' | 'loading' | 'running' | 'waiting'
  readonly batch: number
  readonly call: number
  /** The same number twice: the main thread did nothing else in between. */
  readonly steps: number
}

const PHASES = ['idle', 'loading', 'running', 'waiting'] as const
const [STEPS, PHASE, BATCH, CALL] = [0, 1, 2, 3]

export function createProgress(): { readonly memory: SharedArrayBuffer; readonly progress: LoopProgress } {
  const memory = new SharedArrayBuffer(4 * 4)
  const cells = new Uint32Array(memory)
  const { store, add } = Atomics
  return {
    memory,
    progress: {
      set: (phase, batch, call) => {
        store(cells, PHASE, phase === 'idle' ? 0 : phase === 'loading' ? 1 : phase === 'running' ? 2 : 3)
        store(cells, BATCH, batch)
        store(cells, CALL, call + 1)
        add(cells, STEPS, 1)
      },
      beat: () => {
        add(cells, STEPS, 1)
      },
    },
  }
}

export function readProgress(memory: SharedArrayBuffer): ProgressView {
  const cells = new Uint32Array(memory)
  const at = (cell: number) => Atomics.load(cells, cell)
  return { phase: PHASES[at(PHASE)] ?? 'idle', batch: at(BATCH), call: at(CALL) - 1, steps: at(STEPS) }
}
