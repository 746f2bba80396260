import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LOG } from './run-folder.ts'

const LOG_MAX_BYTES = 1024 * 1024

/** Adds a line to the daemon's log as it is: at most two files. A text that is not ours has to be masked before. */
export function appendToLog(folder: string, line: string): void {
  const path = join(folder, LOG)
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX_BYTES)
      renameSync(path, `${path}.old`)
    const text = line.replaceAll('\n', ' ')
    appendFileSync(path, `${new Date().toISOString()} ${process.pid} ${text}\n`, { mode: 0o600 })
  } catch {
    // A full disk must not end a daemon that still answers.
  }
}
