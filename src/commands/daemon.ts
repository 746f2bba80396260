import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HoldpointError } from '../core/errors.ts'
import { localTime } from '../core/formats/local-time.ts'
import { isObject } from '../core/json.ts'
import { controlDaemon } from '../daemon/client.ts'
import { ensureDaemon } from '../daemon/launch.ts'
import { checkRunFolder, LOG, notedPids, PID, SOCKET } from '../daemon/run-folder.ts'
import type { Home } from '../system/home.ts'
import { wordsOfProcess } from '../system/platform/processes.ts'
import { type Caller, homeNamed } from './caller.ts'
import { refuseAgent } from './person.ts'
import { plural, say } from './screen.ts'

interface DaemonOptions {
  readonly home?: string
  readonly json?: boolean
}

const ANSWER_MAX_MS = 2_000
const START_MAX_MS = 10_000
const STOP_MAX_MS = 10_000

/** Commands for the daemon: show its status, start it, stop it, print its log. Hooks also work without it. */
export async function daemon(
  caller: Caller,
  verb: 'status' | 'start' | 'stop' | 'logs',
  options: DaemonOptions,
): Promise<void> {
  const home = homeNamed(caller, options.home)
  const verbs = { status, start, stop, logs }
  await verbs[verb](caller, home, options)
}

async function status(caller: Caller, home: Home, { json }: DaemonOptions): Promise<void> {
  const reply = await controlDaemon(home.run, '#status', ANSWER_MAX_MS)
  if (reply === undefined) caller.exitCode = 1
  if (json === true) caller.stdout.write(reply?.stdout ?? '{"pid":null}\n')
  else if (reply === undefined)
    say(caller, `The daemon is not running${whyNone(home)}; hooks work without it, but slower.`)
  else caller.stdout.write(described(caller, reply.stdout))
}

function whyNone(home: Home): string {
  const folder = checkRunFolder(home.run)
  if (!folder.ok && folder.problem.message.includes('missing')) return ' (it was never started)'
  if (!folder.ok) return ` (${folder.problem.message})`
  const pid = notedPids(home.run)[0]
  return pid === undefined || !isDaemon(pid) ? '' : ` (process ${pid} exists but does not answer)`
}

/** One fact a line, for people. */
function described(caller: Caller, text: string): string {
  const value: unknown = JSON.parse(text)
  const facts = isObject(value) ? Object.entries(value) : []
  return facts
    .map(([key, fact]) => {
      const [name, words = plain] = FACTS[key] ?? [key]
      return `${caller.colours.dim(name.padEnd(10))} ${fact === null ? 'off' : words(fact)}\n`
    })
    .join('')
}

/** A fact of a daemon that is newer than this command may have several parts. */
function plain(fact: unknown): string {
  return isObject(fact) ? JSON.stringify(fact) : String(fact)
}

/** How people read the status: another name where the key is short for something, and what a number counts. */
const FACTS: Readonly<Record<string, readonly [name: string, words?: (fact: unknown) => string]>> = {
  pid: ['process'],
  build: ['version'],
  startedAt: ['started', (at) => localTime(String(at))],
  answered: ['answered', (count) => `${count} events`],
  late: ['late', (count) => `${count} events without a decision in time`],
  lost: ['lost', (count) => `${count} events that failed and were tried again`],
  open: ['open', (count) => `${count} events at this moment`],
  memoryMb: ['memory', (size) => `${size} MB`],
  http: ['HTTP port'],
  supervisor: ['supervisor', (pid) => `process ${pid}`],
  journal: ['journal', (state) => (state === 'well' ? 'is being written' : String(state))],
  approvals: ['approvals', approvals],
}

/** How many questions wait for a person, and whether a board shows them. */
function approvals(counts: unknown): string {
  const { pending, boards } = isObject(counts) ? counts : {}
  return `${plural(Number(pending), 'question')} open, ${boards === 0 ? 'no board to answer them' : 'a board is open'}`
}

async function start(caller: Caller, home: Home): Promise<void> {
  const started = await ensureDaemon(home, START_MAX_MS)
  if (!started.ok) throw new HoldpointError(started.problem)
  caller.stdout.write(described(caller, started.value))
}

/** It weakens nothing, because hooks answer without it: so only agents are refused, and scripts are not. */
async function stop(caller: Caller, home: Home): Promise<void> {
  refuseAgent(caller, 'daemon stop')
  const told = await stopDaemon(home)
  caller.stdout.write(told ? 'The daemon was stopped.\n' : 'The daemon was not running.\n')
}

/**
 * Asks the daemon to stop. One that does not react is killed, its supervisor first. True if one was running.
 */
export async function stopDaemon(home: Home): Promise<boolean> {
  const running = notedPids(home.run).filter(isDaemon)
  const asked = await controlDaemon(home.run, '#stop', ANSWER_MAX_MS)
  if (asked === undefined && running.length === 0) return false
  for (let waitedMs = 0; asked !== undefined && waitedMs < STOP_MAX_MS; waitedMs += 50) {
    if (!running.some(isDaemon)) return true
    await sleep(50)
  }
  for (const pid of running.toReversed()) if (isDaemon(pid)) process.kill(pid, 'SIGKILL')
  for (const name of [SOCKET, PID]) rmSync(join(home.run, name), { force: true })
  return true
}

/** The process id from the file may belong to another program by now. One that has ended has no words. */
function isDaemon(pid: number): boolean {
  return wordsOfProcess(pid).includes('daemon.cjs')
}

async function logs(caller: Caller, home: Home): Promise<void> {
  const read = (name: string) => {
    try {
      return readFileSync(join(home.run, name), 'utf8')
    } catch {
      return ''
    }
  }
  const text = read(`${LOG}.old`) + read(LOG)
  caller.stdout.write(text === '' ? 'The daemon log is empty.\n' : text)
}
