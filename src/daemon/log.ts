import { redact } from '../core/redact/redact.ts'
import { appendToLog } from './log-file.ts'

export type Log = (line: string) => void

/** The daemon's log: never a payload, always masked. */
export function openLog(folder: string): Log {
  return (line) => appendToLog(folder, redact(line, []))
}
