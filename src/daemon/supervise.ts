import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { DAEMON_ENV, DAEMON_FLAGS } from '../system/daemon-node.ts'
import type { Home } from '../system/home.ts'
import { programFile } from '../system/package.ts'
import { canStart, type StartCommand, startCommand, watchCurrent } from '../system/runtime.ts'
import { readHttpSettings } from './http-settings.ts'
import { EXIT_CODES } from './lifecycle.ts'
import type { Log } from './log.ts'
import { holdPort, type PortHolder } from './port-holder.ts'
import { PORT_MESSAGES } from './port-messages.ts'

/** A daemon that keeps dying at once must not slow down the machine. */
const PAUSE_MS = { first: 20, most: 1_000 }
const HEALTHY_AFTER_MS = 5_000
const DEATHS_MAX = 60

/**
 * Keeps a daemon running, because agents that use HTTP do not start one. When the daemon's program has changed, a
 * supervisor of the new program takes over, and this one exits.
 */
export async function superviseDaemon(home: Home, log: Log, options: SuperviseOptions = {}): Promise<void> {
  const { restarts = 0 } = options
  let child: ChildProcess | undefined
  const isInstalled = watchCurrent(home)
  const port = holdPort(() => readHttpSettings(home), options.listener)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child?.kill(signal))
  for (let deaths = 0; deaths < DEATHS_MAX; deaths += 1) {
    const startedMs = Date.now()
    const wasInstalled = isInstalled()
    const words = ['--home', home.folder, '--supervised', `${process.pid}`]
    // Node itself, without a launcher: the daemon recognises its supervisor as its parent process.
    child = spawn(process.execPath, [...DAEMON_FLAGS, programFile('daemon'), ...words], {
      stdio: SILENT,
      env: { ...process.env, ...DAEMON_ENV },
    })
    port.serve(child)
    const code = await ended(child)
    if (code === EXIT_CODES.stopped) return port.close()
    // An installed copy that was removed or replaced cannot start another daemon, for whatever reason the
    // last one died.
    if (code === EXIT_CODES.outdated || !isInstalled())
      return handOver(home, log, port, wasInstalled ? 0 : restarts + 1)
    log(`the daemon ended (${code ?? 'by a signal'}) and is started again`)
    if (Date.now() - startedMs > HEALTHY_AFTER_MS) deaths = 0
    await sleep(Math.min(PAUSE_MS.most, PAUSE_MS.first * 2 ** deaths))
  }
  port.close()
  log(`the daemon died ${DEATHS_MAX} times in a row; it is not started again`)
}

const UPGRADE_MAX_MS = 120_000
const RESTART_MAX_MS = 60_000
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin'
const SILENT: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc']

/**
 * How many previous supervisors were not the installed copy. A variable, because another build reads its own
 * arguments.
 */
export const RESTARTS_VARIABLE = 'HOLDPOINT_RESTARTS'

export interface SuperviseOptions {
  readonly restarts?: number
  /** The port, if another supervisor held it before. */
  readonly listener?: Server
}

/**
 * The next supervisor is of another build and cannot be given the port, so this one releases it when the other starts.
 * If the link `current` leads to no copy, every daemon exits as outdated at once, so each round waits longer.
 */
async function handOver(home: Home, log: Log, port: PortHolder, restarts: number): Promise<void> {
  if (restarts > 1) {
    const waitMs = Math.min(RESTART_MAX_MS, PAUSE_MS.first * 2 ** restarts)
    log(`the daemon ended as outdated ${restarts} times in a row; the next one starts in ${waitMs} ms`)
    await sleep(waitMs)
  }
  for (const endMs = Date.now() + UPGRADE_MAX_MS; Date.now() < endMs; await sleep(PAUSE_MS.first)) {
    if (!canStart(home, 'daemon')) continue
    port.close()
    return startSupervisor(startCommand(home, 'daemon'), home, restarts)
  }
  port.close()
  log('the program is gone, and so is the daemon')
}

/** A new process that survives this one. */
function startSupervisor([file, ...args]: StartCommand, home: Home, restarts: number): void {
  const env = { PATH: SYSTEM_PATH, [RESTARTS_VARIABLE]: `${restarts}` }
  spawn(file, [...args, '--home', home.folder], { detached: true, stdio: 'ignore', env }).unref()
}

/**
 * Replaces a supervisor that was killed by one of the same build, so that it can be given the port, which is
 * never free.
 */
export async function replaceSupervisor(home: Home, listener: Server | undefined): Promise<void> {
  const words = [...DAEMON_FLAGS, programFile('daemon'), '--home', home.folder]
  const env = { PATH: SYSTEM_PATH }
  const next = spawn(process.execPath, words, { detached: true, stdio: SILENT, env })
  await new Promise<void>((resolve) => {
    next.once('error', () => resolve())
    next.once('exit', () => resolve())
    if (listener === undefined) resolve()
    else next.send(PORT_MESSAGES.listener, listener, () => resolve())
  })
  if (next.connected) next.disconnect()
  next.unref()
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', (code) => resolve(code))
  })
}
