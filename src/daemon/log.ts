import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { redact } from '../core/redact/redact.ts'
import { LOG } from './run-folder.ts'

export type Log = (line: string) => void

const LOG_MAX_BYTES = 1024 * 1024

/** The daemon's log: never a payload, always masked, and at most two files. */
export function openLog(folder: string): Log {
  const path = join(folder, LOG)
  return (line) => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX_BYTES)
        renameSync(path, `${path}.old`)
      const text = redact(line, []).replaceAll('\n', ' ')
      appendFileSync(path, `${new Date().toISOString()} ${process.pid} ${text}\n`, { mode: 0o600 })
    } catch {
      // A full disk must not end a daemon that still answers.
    }
  }
}
