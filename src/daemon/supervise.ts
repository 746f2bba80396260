import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { FAREWELLS } from './life.ts'
import type { Log } from './log.ts'

/** A daemon that dies at once, again and again, must not take the machine with it. */
const PAUSE_MS = { first: 20, most: 1_000 }
const HEALTHY_AFTER_MS = 5_000
const DEATHS_MAX = 60

/**
 * Keeps a daemon alive: where an agent asks over HTTP, nobody starts one by asking. When the daemon's program has
 * changed, a supervisor of the new program takes over, and this one ends.
 */
export async function superviseDaemon(self: string, args: readonly string[], log: Log): Promise<void> {
  let child: ChildProcess | undefined
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child?.kill(signal))
  for (let deaths = 0; deaths < DEATHS_MAX; deaths += 1) {
    const startedMs = Date.now()
    child = spawn(process.execPath, [self, ...args, '--supervised', `${process.pid}`], { stdio: 'ignore' })
    const code = await ended(child)
    if (code === FAREWELLS.stopped) return
    if (code === FAREWELLS.outdated) return succeed(self, args, log)
    log(`the daemon ended (${code ?? 'by a signal'}) and is started again`)
    if (Date.now() - startedMs > HEALTHY_AFTER_MS) deaths = 0
    await sleep(Math.min(PAUSE_MS.most, PAUSE_MS.first * 2 ** deaths))
  }
  log(`the daemon died ${DEATHS_MAX} times in a row; it is not started again`)
}

const UPGRADE_MAX_MS = 120_000

/** In an upgrade the old program is gone before the new one is there. */
async function succeed(self: string, args: readonly string[], log: Log): Promise<void> {
  for (const endMs = Date.now() + UPGRADE_MAX_MS; Date.now() < endMs; await sleep(PAUSE_MS.first)) {
    if (existsSync(self)) return startSupervisor(self, args)
  }
  log('the program is gone, and so is the daemon')
}

/** A new one that belongs to nobody. */
export function startSupervisor(self: string, args: readonly string[]): void {
  spawn(process.execPath, [self, ...args], { detached: true, stdio: 'ignore' }).unref()
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', (code) => resolve(code))
  })
}
