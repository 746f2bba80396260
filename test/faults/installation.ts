import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { it as base, expect } from 'vitest'
import { controlDaemon } from '../../src/daemon/client.ts'
import { isRunning } from '../../src/library/testing/processes.ts'
import { type Home, homeLayout } from '../../src/system/home.ts'
import { processState } from '../../src/system/platform/processes.ts'
import { writePrograms } from '../../src/system/programs.ts'
import { installRuntime } from '../../src/system/runtime.ts'
import type { Ran } from '../e2e/command.ts'
import { holdpointProgram } from '../installed.ts'
import { daemonsOf, endDaemonsOf, eventually, readText } from '../processes.ts'

/** The installed client and the real daemon, in a separate home. `remove` ends and deletes all of it. */

const ROOT = join(import.meta.dirname, '..', '..')

/** A built program of the repository. */
export const built = (name: string) => join(ROOT, 'dist', `${name}.cjs`)

/** A module of the repository, to import in a separate process. */
export const moduleUrl = (path: string) => pathToFileURL(join(ROOT, 'build', path)).href

export interface Installation {
  readonly folder: string
  readonly home: Home
  readonly project: string
  /** Runs the native client as an agent does. */
  call(payload: object | string | Buffer, options?: CallOptions): Promise<Ran>
  /** As many clients at the same time as there are payloads. */
  callAtOnce(payloads: readonly object[]): Promise<readonly Ran[]>
  /** Runs `holdpoint <words>` for this home. */
  command(...words: string[]): Promise<Ran>
  /** The pid of a daemon that answers. If there is none, a call starts one. */
  startDaemon(): Promise<number>
  /** The daemon's status; undefined if no daemon answers. */
  status(): Promise<Status | undefined>
  /** All running processes of this home: daemons and supervisors. */
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

/** A test with its own installation, so that it can run at the same time as others. */
export const it = base.extend<{ installation: Installation }>({
  installation: async ({ task: _task }, use) => {
    const installation = await createInstallation()
    await use(installation)
    await installation.remove()
  },
})

export interface InstallationOptions {
  /** A home that exists already, for example on a separate disk. */
  readonly home?: string
}

/** On a slow machine, fifty processes at once take longer than an agent would wait. */
const DEADLINE_MS = '200000'

export async function createInstallation({ home: place }: InstallationOptions = {}): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-faults-'))
  // Tests with another user need access to this folder.
  chmodSync(folder, 0o755)
  const home = homeLayout(place ?? join(folder, 'home'), {})
  const project = join(folder, 'project')
  mkdirSync(project)
  install(home)
  const status = async () => {
    const reply = await controlDaemon(home.run, '#status', 2_000)
    return reply === undefined ? undefined : (JSON.parse(reply.stdout) as Status)
  }
  const call: Installation['call'] = (payload, options = {}) => {
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
    async callAtOnce(payloads) {
      const calls: Promise<Ran>[] = []
      for (const payload of payloads) {
        calls.push(call(payload))
        // Node closes the input of a child in its next turn. Without this turn the first clients would wait for the end
        // of their input until the last one has started: on a busy machine longer than a client waits.
        await setImmediate()
      }
      return Promise.all(calls)
    },
    command: (...words) => run(holdpointProgram(), [...words, '--home', home.folder], { cwd: project }),
    async startDaemon() {
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

/**
 * Writes what `init` writes to a home, without its questions and checks. All installations share one copy of the
 * programs: the files are linked, because writing 12 MB each time would take longer than most cases.
 */
function install(home: Home): void {
  mkdirSync(home.folder, { recursive: true, mode: 0o700 })
  execFileSync('cp', ['-al', template().runtime, home.runtime])
  if (writePrograms(home, process.execPath) !== 'native') {
    throw new Error('there is no native client: run `npm run build` with a C compiler')
  }
}

let made: Home | undefined

function template(): Home {
  if (made === undefined) {
    made = homeLayout(mkdtempSync(join(tmpdir(), 'holdpoint-template-')), {})
    installRuntime(made)
    const { folder } = made
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  }
  return made
}

export const isRoot = process.geteuid?.() === 0

/** Replaces the installed build by another one: the same programs with one more byte. */
export function upgrade(home: Home): void {
  const beside = join(home.runtime, 'upgraded')
  execFileSync('cp', ['-a', realpathSync(join(home.runtime, 'current')), beside])
  appendFileSync(join(beside, 'dist', 'daemon.cjs'), '\n')
  symlinkSync('upgraded', join(home.runtime, 'next'))
  renameSync(join(home.runtime, 'next'), join(home.runtime, 'current'))
}

let calls = 0

/** The payload of a shell command that is about to run. Each one is a different call. */
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

/** Denied calls stay denied, and other calls pass. */
export async function expectRightAnswers(
  installation: Installation,
  options: CallOptions = {},
): Promise<void> {
  const [denied, passed] = await Promise.all([
    installation.call(bash('git push --force'), options),
    installation.call(bash('ls'), options),
  ])
  expectDenied(denied)
  expect(passed).toEqual(PASSED)
}

export const PASSED: Ran = { stdout: '{}\n', stderr: '', exitCode: 0 }

export function expectDenied(ran: Ran): void {
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(ran.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
}

/** Expects right answers, and that the daemon gave them. */
export async function expectDaemonAnswers(installation: Installation): Promise<Status> {
  await installation.startDaemon()
  const before = await eventually(installation.status, 'a daemon serves')
  await expectRightAnswers(installation)
  const after = await eventually(installation.status, 'a daemon serves')
  expect({ pid: after.pid, answered: after.answered }).toEqual({
    pid: before.pid,
    answered: before.answered + 2,
  })
  return after
}

export function waitForExit(pid: number): Promise<true> {
  return eventually(() => !isRunning(pid), `process ${pid} is gone`)
}

/** Ends a process with SIGKILL and waits until it is gone. */
export async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  await waitForExit(pid)
}

/** Stops a process with SIGSTOP: it keeps its socket and does not answer. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await eventually(() => processState(pid) === 'T', `process ${pid} is stopped`)
}

/**
 * No call starts a daemon until the returned function is called: the file says that another call has just started
 * one. It counts for ten seconds, so it is renewed.
 */
export function preventDaemonStart({ home }: Installation): () => void {
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

/** The sockets of this kind that a process has open, as in the tables of the system. Only Linux has such tables. */
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

/** Starts a process that the test must end. */
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
