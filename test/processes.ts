import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from '../src/library/testing/processes.ts'
import { wordsOfAll } from '../src/system/platform/processes.ts'

/** Waiting for processes and ending them. Tests wait for facts about processes, never for a time. */

const EVENTUALLY_MS = 60_000

/** Returns the first result of `check` that is neither undefined nor false. Fails after a minute. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  what: string,
): Promise<Exclude<T, undefined | false>> {
  for (const endMs = Date.now() + EVENTUALLY_MS; Date.now() < endMs; await sleep(20)) {
    const found = await check()
    if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>
  }
  throw new Error(`never: ${what}`)
}

/** Ends all daemons of a home with SIGKILL. Repeats until none is left, because supervisors restart them. */
export async function endDaemonsOf(folder: string): Promise<void> {
  await eventually(() => endAll(daemonsOf(folder)) === 0 && daemonsOf(folder).length === 0, 'nothing is left')
}

/** The pids of the daemons and supervisors of a home. */
export function daemonsOf(folder: string): readonly number[] {
  return [...wordsOfAll()]
    .filter(
      ([, line]) => ` ${line} `.includes(` ${folder} `) && /(?:\/daemon\.cjs| daemon) /.test(`${line} `),
    )
    .map(([pid]) => pid)
    .filter(isRunning)
}

/** Returns how many processes there were. */
function endAll(pids: readonly number[]): number {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has already exited.
    }
  }
  return pids.length
}

export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Connections to a socket, accepted or not: only Linux lists each of them, and with the path that it was bound to. */
export function connectionsTo(socket: string): number {
  const lines = readText('/proc/net/unix').split('\n')
  return lines.filter((line) => line.endsWith(socket)).length - 1
}
