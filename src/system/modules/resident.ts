import { readFileSync } from 'node:fs'

/** The memory of a process, seen from outside. Undefined if the system does not report it; the process checks itself. */
export function residentBytes(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
