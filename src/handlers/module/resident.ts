import { readFileSync } from 'node:fs'

/** The memory a process occupies, seen from outside. Undefined where the system does not tell; it watches itself there. */
export function residentBytes(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
