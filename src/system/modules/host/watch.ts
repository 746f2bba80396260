import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { LIFE_FD, RESIDENT_MAX_BYTES } from './protocol.ts'

/**
 * Runs on a separate thread, because the module may block the main thread forever: kills the whole process group when
 * Holdpoint has ended or the process uses too much memory.
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

/** At once and completely: programs that the module started must end too. */
function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.kill(process.pid, 'SIGKILL')
  }
}
