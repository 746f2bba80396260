import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BUILD_ID } from '../build-id.ts'
import { HoldpointError, type Problem } from '../errors.ts'
import { EVENT_KINDS } from '../event.ts'
import { findHost } from '../responder.ts'
import { monotonicMs } from '../world/clock.ts'
import type { Home } from '../world/home.ts'
import { createDesk, type Desk } from './desk.ts'
import { startEvaluatorThreads } from './evaluator-threads.ts'
import { type HttpDoor, openHttpDoor } from './http-door.ts'
import { divertedProblem, findListener, takenProblem } from './http-ready.ts'
import { readHttpSettings } from './http-settings.ts'
import { judgeHereFirst } from './judge-here.ts'
import { startKeeperThread } from './keeper-thread.ts'
import { type Farewell, farewell, watchFile } from './life.ts'
import { type Log, openLog } from './log.ts'
import { decodeReply } from './protocol.ts'
import { PID, prepareRunFolder, SOCKET, STARTING } from './run-folder.ts'
import { isServed } from './served.ts'
import { openSocketDoor, type SocketDoor } from './socket-door.ts'
import { warmUpLater } from './warm-up.ts'
import { startWatchdog } from './watchdog.ts'

export interface DaemonOptions {
  readonly home: Home
  /** The built files: this program, and those of its threads. */
  readonly files: Readonly<Record<'self' | 'evaluator' | 'keeper' | 'watchdog', string>>
  readonly idleMaxMs: number
  /** The supervisor, where there is one. A supervised daemon takes the place of any other. */
  readonly supervisor?: number
}

const WATCH_EVERY_MS = 500
const TEND_EVERY_MS = 1_000
const TAKE_OVER_EVERY_MS = 20
const TAKE_OVER_MAX_MS = 5_000
const LAST_WORDS_MS = 5_000

/** One daemon of one user: opens its doors, answers until it is time to leave, leaves nothing half done. */
export async function runDaemon(options: DaemonOptions): Promise<Farewell> {
  const { home, files } = options
  process.umask(0o077)
  const prepared = prepareRunFolder(home.run)
  if (!prepared.ok) throw new HoldpointError(prepared.problem)
  if (options.supervisor === undefined && (await isServed(home))) {
    // Nobody is starting one any more: should the other die now, the next call may.
    rmSync(join(home.run, STARTING), { force: true })
    return 'replaced'
  }

  const log = openLog(home.run)
  const isCurrent = watchFile(files.self)
  const needsParent = () =>
    options.supervisor === undefined && existsSync(home.http) && readHttpSettings(home) !== undefined
  const keeper = startKeeperThread(files.keeper, home, log)
  const watchdog = startWatchdog(files.watchdog, home.run)
  const warm = warmUpLater(monotonicMs, log)
  const thread = judgeHereFirst(startEvaluatorThreads(files.evaluator, log), watchdog, warm, log)
  const startedAt = new Date().toISOString()
  const leaving = createLeaving()
  const desk: Desk = createDesk({
    thread,
    closed: (hostId, env) => http.problem(hostId, env),
    stop: () => leaving.leave('stopped'),
    status: () => ({
      ...{ pid: process.pid, build: BUILD_ID, startedAt, ...desk.counts },
      memoryMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
      http: http.port() ?? null,
      supervisor: options.supervisor ?? null,
      journal: keeper.trouble() ?? 'well',
    }),
  })
  const http = options.supervisor === undefined ? NO_ENTRANCE : createHttpEntrance(home, desk)
  await http.open()
  // Whoever had the place before has the port too, and gives it up when it sees that it was replaced.
  const takeOver = setInterval(() => void http.open(), TAKE_OVER_EVERY_MS)
  setTimeout(() => clearInterval(takeOver), TAKE_OVER_MAX_MS).unref()
  const door = await openSocketDoor(home.run, {
    mayEnter: () => isCurrent() && !needsParent(),
    answer: desk.answer,
  })
  notePid(home, options.supervisor, log)
  rmSync(join(home.run, STARTING), { force: true })
  log(`started, build ${BUILD_ID}`)

  const tend = setInterval(() => keeper.tend(), TEND_EVERY_MS)
  const watch = setInterval(() => {
    void http.open()
    const reason = farewell({
      idleMs: desk.counts.open > 0 ? 0 : monotonicMs() - desk.usedMs(),
      idleMaxMs: options.idleMaxMs,
      hasPlace: door.isOurs(),
      isCurrent: isCurrent(),
      hasParent: options.supervisor === undefined || process.ppid === options.supervisor,
      needsParent: needsParent(),
    })
    if (reason !== undefined) leaving.leave(reason)
  }, WATCH_EVERY_MS)

  const reason = await leaving.left
  log(`leaves: ${reason}`)
  for (const timer of [tend, watch, takeOver]) clearInterval(timer)
  vacate(door, home)
  http.close()
  while (desk.counts.open > 0) await sleep(10)
  await keeper.stop(LAST_WORDS_MS)
  await thread.stop()
  await watchdog.stop()
  return reason
}

/** For `daemon stop`, should this one freeze. On a full disk it serves without. */
function notePid(home: Home, supervisor: number | undefined, log: Log): void {
  try {
    writeFileSync(join(home.run, PID), `${process.pid} ${supervisor ?? ''}\n`, { mode: 0o600 })
  } catch (error) {
    log(`its number could not be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The first reason to leave is the one. Politely asked by the system, it leaves as well. */
function createLeaving(): { readonly left: Promise<Farewell>; leave(reason: Farewell): void } {
  let leave: (reason: Farewell) => void = () => {}
  const left = new Promise<Farewell>((resolve) => {
    leave = resolve
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => leave('stopped'))
  return { left, leave: (reason) => leave(reason) }
}

/** What a newer daemon has put there is not ours to remove. */
function vacate(door: SocketDoor, home: Home): void {
  if (door.isOurs()) for (const name of [SOCKET, PID]) rmSync(join(home.run, name), { force: true })
  door.close()
}

interface HttpEntrance {
  /** Tries, as long as somebody asks for the door and it is not open. */
  open(): Promise<void>
  port(): number | undefined
  /** Somebody else sits on our port, or is asked in its place: tools would be judged by whoever that is. */
  problem(host: string, env: Readonly<Record<string, string>>): Promise<Problem | undefined>
  close(): void
}

/** Nobody would bring it back: where an agent asks over HTTP, a daemon without a supervisor makes room for one with. */
const NO_ENTRANCE: HttpEntrance = {
  open: async () => {},
  port: () => undefined,
  problem: async () => undefined,
  close: () => {},
}

const DOOR_WAIT_MS = 1_000
const DOOR_POLL_MS = 100

function createHttpEntrance(home: Home, desk: Desk): HttpEntrance {
  let door: HttpDoor | undefined
  const answer = async (frame: Buffer, hostId: string, event: string | undefined) => {
    const [host, bytes] = [await findHost(hostId), await desk.answerAnyway(frame)]
    const reply = decodeReply(Buffer.from(bytes))
    const kind = EVENT_KINDS.find((known) => known === event)
    return host.ok && reply !== undefined ? host.value.overHttp?.(reply, kind) : undefined
  }
  const open = async () => {
    const settings = door === undefined ? readHttpSettings(home) : undefined
    if (settings === undefined) return
    const opened = await openHttpDoor(settings, home.folder, { answer })
    if (opened !== 'taken') door = opened
  }
  return {
    open,
    port: () => door?.port,
    async problem(hostId, env) {
      const [settings, host] = [readHttpSettings(home), await findHost(hostId)]
      if (settings === undefined || !host.ok || host.value.overHttp === undefined) return undefined
      const diverted = divertedProblem(env)
      // A daemon of ours that is just leaving still has the port: it answers, and then makes room.
      for (let waitedMs = 0; diverted === undefined && waitedMs < DOOR_WAIT_MS; waitedMs += DOOR_POLL_MS) {
        await open()
        if (door !== undefined || (await findListener(settings)) === 'ours') return undefined
        await sleep(DOOR_POLL_MS)
      }
      return diverted ?? takenProblem(settings)
    },
    close: () => door?.close(),
  }
}
