import { parentPort, workerData } from 'node:worker_threads'
import { appendToLog } from '../src/daemon/log-file.ts'
import { type Suspicion, type WatchedCells, watchOnce } from '../src/daemon/watchdog.ts'

// The daemon's watching thread. It does nothing but look, so that nothing can keep it from it.
const LOOK_EVERY_MS = 500
const { turns, pulse, run } = workerData as WatchedCells & { readonly run: string }
let suspicion: Suspicion | undefined

setInterval(() => {
  const seen = watchOnce(suspicion, Atomics.load(turns, 0), Atomics.load(pulse, 0))
  suspicion = seen.suspicion
  if (seen.then === 'ask') parentPort?.postMessage('are you there?')
  if (seen.then !== 'lost') return
  appendToLog(run, 'the thread that judges does not answer: ended, the next call starts another')
  process.kill(process.pid, 'SIGKILL')
}, LOOK_EVERY_MS)
