import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { journalSettingsOf } from '../app/journal-settings.ts'
import { newRecordId } from '../app/record-id.ts'
import { BUILD_ID } from '../core/build-id.ts'
import { HoldpointError, type Problem } from '../core/errors.ts'
import { EVENT_KINDS } from '../core/event.ts'
import { findHost } from '../hosts/find-host.ts'
import { monotonicMs } from '../system/clock.ts'
import type { Home } from '../system/home.ts'
import { COPY_MARK, packageRoot } from '../system/package.ts'
import { watchCurrent } from '../system/runtime.ts'
import { type BrokerServer, openBrokerServer } from './approvals/broker-server.ts'
import { isDaemonRunning } from './daemon-status.ts'
import { createDispatcher, type Dispatcher } from './dispatcher.ts'
import { startEvaluatorThreads } from './evaluator-threads.ts'
import { type GivenPort, sayReady } from './given-port.ts'
import { divertedProblem, findListener, takenProblem } from './http-ready.ts'
import { type HttpServer, openHttpServer, serveHttp } from './http-server.ts'
import { readHttpSettings } from './http-settings.ts'
import { collectWhenQuiet, growSlowly } from './idle-collection.ts'
import { evaluateInlineFirst } from './inline-evaluator.ts'
import { startJournalThread } from './journal-thread.ts'
import { type ExitReason, exitReason, watchFile } from './lifecycle.ts'
import { type Log, openLog } from './log.ts'
import { decodeReply } from './protocol.ts'
import { PID, prepareRunFolder, SOCKET, STARTING } from './run-folder.ts'
import { openSocketServer, type SocketServer } from './socket-server.ts'
import { createWarmUp, optimizeSoon } from './warm-up.ts'
import { startWatchdog } from './watchdog.ts'

export interface DaemonOptions {
  readonly home: Home
  /** The built files of its threads. */
  readonly files: Readonly<Record<'evaluator' | 'journal' | 'watchdog', string>>
  readonly idleMaxMs: number
  /** The supervisor, if there is one. A supervised daemon replaces any other. */
  readonly supervisor?: number
  /** The HTTP port, which the supervisor holds. */
  readonly port?: GivenPort
  /** Starts another supervisor before the port is released. */
  orphaned?(): Promise<void>
}

const WATCH_EVERY_MS = 500
const IMPORT_EVERY_MS = 1_000
const TAKE_OVER_EVERY_MS = 20
const TAKE_OVER_MAX_MS = 5_000
const LAST_IMPORT_MAX_MS = 5_000

/**
 * The one daemon of a user: starts its servers, answers until it has a reason to exit, and finishes its work
 * before that.
 */
export async function runDaemon(options: DaemonOptions): Promise<ExitReason> {
  const { home, files } = options
  process.umask(0o077)
  const prepared = prepareRunFolder(home.run)
  if (!prepared.ok) throw new HoldpointError(prepared.problem)
  if (options.supervisor === undefined && (await isDaemonRunning(home))) {
    // The start is over: if the daemon dies from here on, the next call may start another.
    rmSync(join(home.run, STARTING), { force: true })
    return 'replaced'
  }

  growSlowly()
  optimizeSoon()
  const log = openLog(home.run)
  const isUnchanged = watchFile(files.evaluator)
  const isInstalled = watchCurrent(home)
  // The name of an installed copy is the hash of its content: it may be removed, but nobody writes another one over it.
  const isCopy = existsSync(join(packageRoot(), COPY_MARK))
  const needsSupervisor = () =>
    options.supervisor === undefined && existsSync(home.http) && readHttpSettings(home) !== undefined
  const journal = startJournalThread(files.journal, home, log, () => journalSettingsOf(home, Date.now()))
  const watchdog = startWatchdog(files.watchdog, home.run)
  const warmUp = createWarmUp(monotonicMs)
  const threads = startEvaluatorThreads(files.evaluator, log)
  const thread = evaluateInlineFirst(threads, watchdog, log, warmUp.at)
  const startedAt = new Date().toISOString()
  const exit = createExit()
  const broker = await openBroker(home, log)
  const dispatcher: Dispatcher = createDispatcher({
    thread,
    isUncounted: warmUp.isOwnCall,
    closed: (hostId, env) => http.problem(hostId, env),
    stop: () => exit.request('stopped'),
    status: () => ({
      ...{ pid: process.pid, build: BUILD_ID, startedAt, ...dispatcher.counts },
      memoryMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
      http: http.port() ?? null,
      supervisor: options.supervisor ?? null,
      journal: journal.trouble() ?? 'well',
      approvals: broker?.counts ?? null,
    }),
  })
  const http =
    options.supervisor === undefined ? withoutHttp(home) : createHttpEndpoint(home, dispatcher, options.port)
  await http.open()
  // The previous daemon also has the port, and releases it when it sees that it was replaced.
  const takeOver = setInterval(() => void http.open(), TAKE_OVER_EVERY_MS)
  setTimeout(() => clearInterval(takeOver), TAKE_OVER_MAX_MS).unref()
  const socketServer = await openSocketServer(home.run, {
    // Asked for each call: after an upgrade, no call may be answered by the old copy.
    accepts: () => isInstalled() && (isCopy || isUnchanged()) && !needsSupervisor(),
    answer: dispatcher.answer,
  })
  notePid(home, options.supervisor, log)
  rmSync(join(home.run, STARTING), { force: true })
  log(`started, build ${BUILD_ID}`)
  warmUp.beginLater(dispatcher.answer, log)

  const importing = setInterval(() => journal.importSpool(), IMPORT_EVERY_MS)
  const collect = collectWhenQuiet(log)
  const watch = setInterval(() => {
    void http.open()
    const usedMs = dispatcher.usedMs()
    collect({ usedMs, idleMs: monotonicMs() - usedMs, open: dispatcher.counts.open })
    const reason = exitReason({
      // While a board may answer, somebody waits for questions.
      idleMs: dispatcher.counts.open > 0 || broker?.counts.boards === 1 ? 0 : monotonicMs() - usedMs,
      idleMaxMs: options.idleMaxMs,
      ownsSocket: socketServer.isOurs(),
      isCurrent: isInstalled() && isUnchanged(),
      hasSupervisor: options.supervisor === undefined || process.ppid === options.supervisor,
      needsSupervisor: needsSupervisor(),
    })
    if (reason !== undefined) exit.request(reason)
  }, WATCH_EVERY_MS)

  const reason = await exit.requested
  log(`exits: ${reason}`)
  for (const timer of [importing, watch, takeOver]) clearInterval(timer)
  closeSocket(socketServer, home)
  broker?.close()
  if (reason === 'orphaned') await options.orphaned?.()
  http.close()
  while (dispatcher.counts.open > 0) await sleep(10)
  await journal.stop(LAST_IMPORT_MAX_MS)
  await thread.stop()
  await watchdog.stop()
  return reason
}

/** Without it, questions that wait for a person are denied, and everything else works. */
async function openBroker(home: Home, log: Log): Promise<BrokerServer | undefined> {
  try {
    return await openBrokerServer(home, newRecordId)
  } catch (error) {
    log(`no approvals: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

/**
 * `daemon stop` needs the pid if this process hangs. A daemon that cannot write it, because the disk is full,
 * still works.
 */
function notePid(home: Home, supervisor: number | undefined, log: Log): void {
  try {
    writeFileSync(join(home.run, PID), `${process.pid} ${supervisor ?? ''}\n`, { mode: 0o600 })
  } catch (error) {
    log(`its pid could not be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The first reason to exit counts. A signal from the system is a reason too. */
function createExit(): { readonly requested: Promise<ExitReason>; request(reason: ExitReason): void } {
  let request: (reason: ExitReason) => void = () => {}
  const requested = new Promise<ExitReason>((resolve) => {
    request = resolve
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => request('stopped'))
  return { requested, request: (reason) => request(reason) }
}

/** Removes the socket and the pid file, but not those of a newer daemon. */
function closeSocket(socketServer: SocketServer, home: Home): void {
  if (socketServer.isOurs()) for (const name of [SOCKET, PID]) rmSync(join(home.run, name), { force: true })
  socketServer.close()
}

interface HttpEndpoint {
  /** Tries again as long as HTTP is configured and the server is not running. */
  open(): Promise<void>
  port(): number | undefined
  /**
   * Set if another program has Holdpoint's port, or if a proxy would get the requests. That program would
   * decide about tools.
   */
  problem(host: string, env: Readonly<Record<string, string>>): Promise<Problem | undefined>
  close(): void
}

/**
 * For a daemon without a supervisor. It never serves HTTP: if an agent uses HTTP, it exits, and a supervised
 * daemon takes over, because only that one is restarted after a crash.
 */
function withoutHttp(home: Home): HttpEndpoint {
  return {
    open: async () => {},
    port: () => undefined,
    problem: async (hostId) => unreadable(home, await findHost(hostId)),
    close: () => {},
  }
}

/** The agent uses HTTP, but the settings file cannot be read. A file of an older release has no key for the proof. */
function unreadable(home: Home, host: Awaited<ReturnType<typeof findHost>>): Problem | undefined {
  if (!existsSync(home.http) || readHttpSettings(home) !== undefined) return undefined
  if (!host.ok || host.value.overHttp === undefined) return undefined
  const message = 'The address for hooks over HTTP cannot be read, or is of an older release.'
  return { code: 'DAEMON_SILENT', message, file: home.http, fix: 'Run `holdpoint init --http` again.' }
}

const PORT_WAIT_MS = 1_000
const PORT_POLL_MS = 100

function createHttpEndpoint(home: Home, dispatcher: Dispatcher, given: GivenPort | undefined): HttpEndpoint {
  let server: HttpServer | undefined
  const answer = async (frame: Buffer, hostId: string, event: string | undefined) => {
    const [host, bytes] = [await findHost(hostId), await dispatcher.answerAnyway(frame)]
    const reply = decodeReply(Buffer.from(bytes))
    const kind = EVENT_KINDS.find((known) => known === event)
    return host.ok && reply !== undefined ? host.value.overHttp?.(reply, kind) : undefined
  }
  const open = async () => {
    // The supervisor has the port, or tries to get it.
    const settings = server === undefined && given === undefined ? readHttpSettings(home) : undefined
    if (settings === undefined) return
    const opened = await openHttpServer(settings, home.folder, { answer })
    if (opened !== 'taken') server = opened
  }
  given?.use({
    open() {
      const settings = readHttpSettings(home)
      if (server !== undefined || settings === undefined) return
      server = serveHttp(settings, home.folder, { answer })
      sayReady()
    },
    take: (connection) => (server === undefined ? void connection.destroy() : server.take(connection)),
  })
  return {
    open,
    port: () => server?.port,
    async problem(hostId, env) {
      const [settings, host] = [readHttpSettings(home), await findHost(hostId)]
      if (settings === undefined) return unreadable(home, host)
      if (!host.ok || host.value.overHttp === undefined) return undefined
      const diverted = divertedProblem(env)
      // A Holdpoint daemon that is about to exit still has the port: it answers, then exits.
      for (let waitedMs = 0; diverted === undefined && waitedMs < PORT_WAIT_MS; waitedMs += PORT_POLL_MS) {
        await open()
        if (server !== undefined || (await findListener(settings)) === 'ours') return undefined
        await sleep(PORT_POLL_MS)
      }
      return diverted ?? takenProblem(settings)
    },
    close() {
      given?.close()
      server?.close()
    },
  }
}
