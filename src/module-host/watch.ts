import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { LIFE_FD, RESIDENT_MAX_BYTES } from './protocol.ts'

/**
 * Runs on a thread of its own, because the main thread belongs to the module and may never come back: ends the whole
 * process group when Holdpoint is gone or the process has grown too large.
 */
export function watch(): void {
  const life = new Socket({ fd: LIFE_FD, readable: true, writable: false })
  life.on('error', endGroup)
  life.on('close', endGroup)
  life.resume()
  setInterval(() => {
    if (process.memoryUsage.rss() <= RESIDENT_MAX_BYTES) return
    try {
      writeSync(2, `it used more than ${RESIDENT_MAX_BYTES} bytes of memory`)
    } finally {
      endGroup()
    }
  }, CHECK_MS)
}

const CHECK_MS = 100

/** At once and whole: what the module started must not outlive it either. */
function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.kill(process.pid, 'SIGKILL')
  }
}
