import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { it as base, expect } from 'vitest'
import { orderDaemon } from '../../src/daemon/client.ts'
import { isRunning } from '../../src/testing/processes.ts'
import { type Home, homeLayout } from '../../src/world/home.ts'
import type { Ran } from '../e2e/command.ts'

/** The installed client and the real daemon in a home of their own; nothing of it outlives `remove`. */

export const DIST = join(import.meta.dirname, '..', '..', 'dist')

export interface Station {
  readonly folder: string
  readonly home: Home
  readonly project: string
  /** The native client, started like an agent starts it. */
  call(payload: object | string | Buffer, options?: CallOptions): Promise<Ran>
  /** `holdpoint <words>` for this home. */
  command(...words: string[]): Promise<Ran>
  /** A daemon that answers, started by a call if there is none; its pid. */
  serving(): Promise<number>
  /** What the daemon says of itself; undefined when none answers. */
  status(): Promise<Status | undefined>
  /** Every process of this home that runs now: daemons and supervisors. */
  processes(): readonly number[]
  log(): string
  remove(): Promise<void>
}

export interface Status {
  readonly pid: number
  readonly answered: number
  readonly late: number
  readonly lost: number
  readonly open: number
  readonly memoryMb: number
  readonly http: number | null
  readonly journal: string
}

export interface CallOptions {
  readonly event?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A test with a station of its own, which may run beside others. */
export const it = base.extend<{ station: Station }>({
  station: async ({ task: _task }, use) => {
    const station = await createStation()
    await use(station)
    await station.remove()
  },
})

export interface StationOptions {
  /** Another build than the repository's. */
  readonly dist?: string
  /** A home that is already there, for instance on a disk of its own. */
  readonly home?: string
}

/** Fifty processes at once take a slow machine longer than an agent would wait. */
const DEADLINE_MS = '200000'

export async function createStation({ dist = DIST, home: place }: StationOptions = {}): Promise<Station> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-faults-'))
  // Whoever is another user in a test must be able to come this far.
  chmodSync(folder, 0o755)
  const home = homeLayout(place ?? join(folder, 'home'), {})
  const project = join(folder, 'project')
  mkdirSync(project)
  await install(home, dist)
  const status = async () => {
    const reply = await orderDaemon(home.run, '#status', 2_000)
    return reply === undefined ? undefined : (JSON.parse(reply.stdout) as Status)
  }
  const call: Station['call'] = (payload, options = {}) => {
    const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
    const words = ['claude-code', '--home', home.folder, '--event', options.event ?? 'PreToolUse']
    return run(home.hookProgram, [...words, '--deadline-ms', DEADLINE_MS, ...(options.args ?? [])], {
      stdin: text,
      cwd: options.cwd ?? project,
      env: options.env ?? {},
    })
  }
  const processes = () => daemonsOf(home.folder)
  return {
    folder,
    home,
    project,
    call,
    command: (...words) =>
      run(process.execPath, [join(dist, 'holdpoint.cjs'), ...words, '--home', home.folder], { cwd: project }),
    async serving() {
      await call(bash('ls'))
      return (await eventually(status, 'a daemon serves')).pid
    },
    status,
    processes,
    log: () => readText(join(home.run, 'daemon.log')),
    async remove() {
      await endDaemonsOf(home.folder)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function install(home: Home, dist: string): Promise<void> {
  const program = pathToFileURL(join(dist, 'src', 'world', 'hook-program.js')).href
  const { writeHookProgram } = (await import(program)) as typeof import('../../src/world/hook-program.ts')
  mkdirSync(join(home.folder, 'bin'), { recursive: true, mode: 0o700 })
  if (writeHookProgram(home, process.execPath) !== 'native') {
    throw new Error('dist/ has no native client: run `npm run build` with a C compiler')
  }
}

export const isRoot = process.geteuid?.() === 0

/** A build of its own, for a test that changes it. */
export function copyOfDist(folder: string): string {
  const dist = join(folder, 'package', 'dist')
  cpSync(DIST, dist, { recursive: true })
  symlinkSync(join(dirname(DIST), 'node_modules'), join(folder, 'package', 'node_modules'))
  return dist
}

let calls = 0

/** A shell command about to run. No two are the same delivery. */
export function bash(command: string, more: object = {}): Record<string, unknown> {
  calls += 1
  return {
    session_id: 'session-1',
    transcript_path: '/tmp/transcript.jsonl',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: `toolu_${calls}`,
    ...more,
  }
}

/** Was denied, stays denied; was let through, goes on. */
export async function answersRight(station: Station, options: CallOptions = {}): Promise<void> {
  const [denied, passed] = await Promise.all([
    station.call(bash('git push --force'), options),
    station.call(bash('ls'), options),
  ])
  expectDenied(denied)
  expect(passed).toEqual(PASSED)
}

export const PASSED: Ran = { stdout: '{}\n', stderr: '', exitCode: 0 }

export function expectDenied(ran: Ran): void {
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(ran.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
}

/** Both right, and the daemon gave them. */
export async function servesAgain(station: Station): Promise<Status> {
  await station.serving()
  const before = await eventually(station.status, 'a daemon serves')
  await answersRight(station)
  const after = await eventually(station.status, 'a daemon serves')
  expect({ pid: after.pid, answered: after.answered }).toEqual({
    pid: before.pid,
    answered: before.answered + 2,
  })
  return after
}

const EVENTUALLY_MS = 60_000

/** What a condition says once it says something. Bounded, and no statement about how soon. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  what: string,
): Promise<Exclude<T, undefined | false>> {
  for (const endMs = Date.now() + EVENTUALLY_MS; Date.now() < endMs; await sleep(20)) {
    const found = await look()
    if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>
  }
  throw new Error(`never: ${what}`)
}

export function gone(pid: number): Promise<true> {
  return eventually(() => !isRunning(pid), `process ${pid} is gone`)
}

/** Ends it without a word, and waits until the system has taken it away. */
export async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  await gone(pid)
}

/** Freezes it: it holds its socket and says nothing. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await eventually(() => /^\d+ \(.*\) T/.test(readText(`/proc/${pid}/stat`)), `process ${pid} is stopped`)
}

/** As if another call had just started one, for as long as it takes: the mark counts for ten seconds. Returns its end. */
export function keepDaemonsAway({ home }: Station): () => void {
  const mark = join(home.run, 'starting')
  mkdirSync(home.run, { recursive: true, mode: 0o700 })
  writeFileSync(mark, '')
  const again = setInterval(() => existsSync(mark) && utimesSync(mark, new Date(), new Date()), 1_000)
  again.unref()
  return () => {
    clearInterval(again)
    rmSync(mark)
  }
}

/** Without a word. A supervisor restarts, a starting one is not there yet: until nothing is left. */
export async function endDaemonsOf(folder: string): Promise<void> {
  await eventually(() => endAll(daemonsOf(folder)) === 0 && daemonsOf(folder).length === 0, 'nothing is left')
}

/** Daemons and supervisors of a home. */
function daemonsOf(folder: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isRunning(pid))
    .filter((pid) => {
      const words = readText(`/proc/${pid}/cmdline`).split('\0')
      return words.includes(folder) && words.some((word) => word.endsWith('/daemon.cjs') || word === 'daemon')
    })
}

/** How many there were to end. */
function endAll(pids: readonly number[]): number {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It went by itself.
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

/** What a process has open of this kind, as the system's table has it. */
export function socketsOf(pid: number, kind: 'tcp' | 'unix'): readonly string[] {
  const own = readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? []
    } catch {
      return []
    }
  })
  return [kind, `${kind}6`]
    .flatMap((table) => readText(`/proc/net/${table}`).split('\n').slice(1))
    .filter((line) => line.split(/\s+/).some((word) => own.includes(word)))
}

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

export interface RunOptions {
  readonly stdin?: string | Buffer
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly uid?: number
}

export function run(program: string, words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = start(program, words, options)
    const [out, err]: [Buffer[], Buffer[]] = [[], []]
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', reject)
    child.on('close', (exitCode) =>
      resolve({ stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), exitCode }),
    )
    child.stdin?.end(options.stdin ?? '')
  })
}

/** A process of the test that the test ends. */
export function start(program: string, words: readonly string[], options: RunOptions = {}): ChildProcess {
  const child = spawn(program, words, {
    cwd: options.cwd ?? '/',
    env: { PATH: process.env.PATH ?? '', HOME: '/home/dev', ...options.env },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    stdio: 'pipe',
  })
  child.stdin?.on('error', () => {})
  return child
}
