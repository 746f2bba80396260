import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { queuedMs } from '../../platform/load.ts'
import { type ProgressView, readProgress } from './progress.ts'
import { LIFE_FD, REPLIES_FD, RESIDENT_MAX_BYTES } from './protocol.ts'

/**
 * Runs on a separate thread, because a module may block the main thread forever: kills the whole process group when
 * Holdpoint has ended or the process uses too much memory, and tells which call lets no other call run.
 */
export function watch(memory: SharedArrayBuffer): void {
  const life = new Socket({ fd: LIFE_FD, readable: true, writable: false })
  life.on('error', endGroup)
  life.on('close', endGroup)
  life.resume()
  const isHeld = createHoldCheck()
  setInterval(() => {
    const progress = readProgress(memory)
    if (isHeld(progress)) tellHeld(progress)
    if (process.memoryUsage.rss() <= RESIDENT_MAX_BYTES) return
    try {
      writeSync(2, `it used more than ${RESIDENT_MAX_BYTES} bytes of memory`)
    } finally {
      endGroup()
    }
  }, CHECK_MS)
}

const CHECK_MS = 50
/** In checks without any progress. A compiler may need long to load TypeScript. */
const HELD: Readonly<Record<ProgressView['phase'], number>> = {
  idle: Number.POSITIVE_INFINITY,
  loading: 10,
  running: 3,
  waiting: 4,
}

function createHoldCheck(): (progress: ProgressView) => boolean {
  let steps = 0
  let checks = 0
  let delayMs = 0
  return (progress) => {
    const isNew = progress.steps !== steps
    steps = progress.steps
    if (isNew || progress.phase === 'idle') {
      checks = 0
      delayMs = queuedMs()
      return false
    }
    const before = delayMs
    delayMs = queuedMs()
    // On a busy machine the main thread may have had no turn.
    if (delayMs - before < CHECK_MS / 2) checks += 1
    return checks === HELD[progress.phase]
  }
}

function tellHeld({ batch, call }: ProgressView): void {
  try {
    writeSync(REPLIES_FD, `{"id":${batch},"kind":"held","call":${call}}\n`)
  } catch {
    // The pipe is full or closed: the deadline of the call will end this process.
  }
}

/** At once and completely: programs that the module started must end too. */
function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.kill(process.pid, 'SIGKILL')
  }
}
