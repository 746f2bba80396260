import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { holdpointProgram } from '../installed.ts'
import { endDaemonsOf } from '../processes.ts'
import { knownPin } from './pin.ts'
import { playCommand, playPerson } from './played.ts'
import { atTerminal } from './terminal.ts'

/**
 * The command line in a sandbox: fresh home, fresh project, clean environment. A command is played in this process, from
 * the sources. With `process: true`, the installed program is started: for what only a process can show, such as a real
 * terminal, pipes, signals, and files of the package. `started-commands.test.ts` starts each of the most used commands.
 */

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

export interface Sandbox {
  readonly folder: string
  readonly home: string
  readonly project: string
  /** Writes a file in the project. */
  write(path: string, text: string, mode?: number): void
  config(text: string): void
  userConfig(text: string): void
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Runs a command as a person does, for example `trust --yes`. As a process it has a real terminal. */
  person(args: readonly string[], env?: Readonly<Record<string, string>>, how?: AtTerminal): Promise<Ran>
  /** Runs `holdpoint hook claude-code`, or another host, with this payload. */
  hook(payload: unknown, args?: readonly string[], options?: RunOptions): Promise<Ran>
  /** Starts a command that keeps running, as a process. `until` waits until its lines so far satisfy a condition. */
  follow(args: readonly string[]): Following
  /** Ends the daemons that commands started here, then removes the folder. */
  remove(): Promise<void>
}

export interface Following {
  until(done: (lines: readonly string[]) => boolean): Promise<readonly string[]>
  stop(): void
}

export interface How {
  /** Start the installed program instead of playing the command in this process. */
  readonly process?: boolean
}

export interface AtTerminal extends How {
  /** Typed when the command asks, one answer for each question; nothing if there is none left. */
  readonly type?: string | readonly string[]
  /** Rows and columns of the terminal. Without them its size is unknown. */
  readonly size?: readonly [rows: number, columns: number]
}

export interface RunOptions extends How {
  /** The agent, for `hook`. */
  readonly host?: string
  readonly stdin?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Leave standard input open, like a host that never closes it. Only for a process. */
  readonly open?: boolean
}

/** Commands that are always processes, and why. */
export const ALWAYS_STARTED = {
  demo: 'installs the package that it belongs to, and ends at a signal',
  doctor: 'compares itself with the package that is installed',
  init: 'installs the package that it belongs to',
  mcp: 'runs until its server ends',
  run: 'hands its terminal to an agent',
  top: 'runs until a key ends it',
  ui: 'runs until a signal ends it',
  upgrade: 'hands its streams to npx',
} as const

/** Whether a command is started as a process. */
export function isStarted([command = '']: readonly string[], { process: isProcess }: How): boolean {
  return isProcess === true || Object.hasOwn(ALWAYS_STARTED, command)
}

export function createSandbox(): Sandbox {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-e2e-'))
  const home = join(folder, 'home')
  const project = join(folder, 'project')
  mkdirSync(project)
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode })
  }
  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    ...{ PATH: process.env.PATH ?? '', HOME: '/home/dev', HOLDPOINT_HOME: home },
    ...more,
  })
  const run: Sandbox['run'] = (args, options = {}) => {
    const place = { cwd: options.cwd ?? project, env: environment(options.env), stdin: options.stdin ?? '' }
    return isStarted(args, options) ? start(args, place, options.open === true) : playCommand(args, place)
  }
  const sandbox: Sandbox = {
    folder,
    home,
    project,
    write: (path, text, mode) => write(join(project, path), text, mode),
    config: (text) => write(join(project, '.holdpoint', 'config.yaml'), text),
    userConfig: (text) => write(join(home, 'config.yaml'), text),
    run,
    person: async (args, more = {}, how = {}) => {
      const env = { NO_COLOR: '1', ...more }
      const place = { cwd: project, env: environment(env), stdin: '' }
      if (!isStarted(args, how)) return playPerson(args, place, { ...how, pin: knownPin(home) })
      const { text, exitCode } = await atTerminal(sandbox, args, { env, ...how })
      // A terminal shows both streams.
      return { stdout: text, stderr: text, exitCode }
    },
    hook: (payload, args = [], options = {}) => {
      const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
      return run(['hook', options.host ?? 'claude-code', ...args], {
        stdin: isText ? payload : JSON.stringify(payload),
        ...options,
      })
    },
    follow: (args) => follow(args, project, environment()),
    remove: async () => {
      if (existsSync(join(home, 'run'))) await endDaemonsOf(home)
      // A daemon that was just being started may still write its first file.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
  return sandbox
}

/** The payload of Claude Code for a call. */
export function call(tool: string, input: object, more: object = {}): Record<string, unknown> {
  return {
    session_id: 'session-1',
    transcript_path: '/tmp/transcript.jsonl',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_1',
    ...more,
  }
}

const FOLLOW_MAX_MS = 200_000

function follow(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Following {
  const child = spawn(holdpointProgram(), args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const lines = () => text.split('\n').filter((line) => line !== '')
  return {
    stop: () => child.kill('SIGKILL'),
    until: async (done) => {
      for (let waitedMs = 0; waitedMs < FOLLOW_MAX_MS; waitedMs += 50) {
        if (done(lines())) return lines()
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`never satisfied: ${text}`)
    },
  }
}

/** How a command is started. */
export interface Place {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string | Buffer
}

function start(args: readonly string[], { cwd, env, stdin }: Place, open: boolean): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(holdpointProgram(), args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (exitCode) =>
      resolve({ stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), exitCode }),
    )
    if (open) child.stdin.write(stdin)
    else child.stdin.end(stdin)
  })
}
