import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from './agents.ts'

/** The daemon of a world and, where it has one, its supervisor. Undefined: there is none, or none any more. */
function daemonOf({ holdpoint }: Places): readonly number[] | undefined {
  const file = join(holdpoint, 'run', 'daemon.pid')
  if (!existsSync(file)) return undefined
  const pids = readFileSync(file, 'utf8').trim().split(' ').map(Number)
  const running = pids.filter((pid) => commandOf(pid).includes(holdpoint))
  return running.length === 0 ? undefined : running
}

/** At once, the supervisor first: it would start another. What it left cannot be copied into the next world. */
export function endDaemon(places: Places): void {
  for (const pid of daemonOf(places)?.toReversed() ?? []) process.kill(pid, 'SIGKILL')
  rmSync(join(places.holdpoint, 'run'), { recursive: true, force: true })
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
