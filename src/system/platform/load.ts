import { procText } from './proc.ts'

/** The memory of a process, seen from outside, where that costs nothing. */
export function residentBytes(pid: number | undefined): number | undefined {
  const status = pid === undefined ? undefined : procText(pid, 'status')
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '')?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

/** How long the main thread of this process has waited for a processor; 0 where the system does not count that. */
export function queuedMs(): number {
  return Number(procText('self', `task/${process.pid}/schedstat`)?.split(' ')[1]) / 1e6 || 0
}
