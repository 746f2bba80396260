import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { holdpointProgram } from '../installed.ts'
import { endDaemonsOf } from '../processes.ts'
import { atTerminal } from './terminal.ts'

/** The installed command line in a sandbox: fresh home, fresh project, clean environment. */

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
  /** Runs a command at a terminal as a person does, for example `trust --yes`. */
  person(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>
  /** Runs `holdpoint hook claude-code`, or another host, with this payload. */
  hook(payload: unknown, args?: readonly string[], options?: RunOptions): Promise<Ran>
  /** Starts a command that keeps running. `until` waits until its lines so far satisfy a condition. */
  follow(args: readonly string[]): Following
  /** Ends the daemons that commands started here, then removes the folder. */
  remove(): Promise<void>
}

export interface Following {
  until(done: (lines: readonly string[]) => boolean): Promise<readonly string[]>
  stop(): void
}

export interface RunOptions {
  /** The agent, for `hook`. */
  readonly host?: string
  readonly stdin?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Leave standard input open, like a host that never closes it. */
  readonly open?: boolean
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
  const run = (args: readonly string[], options: RunOptions = {}) =>
    start(args, home, { cwd: project, ...options })
  const sandbox: Sandbox = {
    folder,
    home,
    project,
    write: (path, text, mode) => write(join(project, path), text, mode),
    config: (text) => write(join(project, '.holdpoint', 'config.yaml'), text),
    userConfig: (text) => write(join(home, 'config.yaml'), text),
    run,
    person: async (args, env = {}) => {
      const { text, exitCode } = await atTerminal(sandbox, args, { env: { NO_COLOR: '1', ...env } })
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
    follow: (args) => follow(args, home, project),
    remove: async () => {
      await endDaemonsOf(home)
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

function follow(args: readonly string[], home: string, cwd: string): Following {
  const env = { PATH: process.env.PATH ?? '', HOME: '/home/dev', HOLDPOINT_HOME: home }
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

function start(args: readonly string[], home: string, options: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(holdpointProgram(), args, {
      cwd: options.cwd ?? '/',
      env: { PATH: process.env.PATH ?? '', HOME: '/home/dev', HOLDPOINT_HOME: home, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (exitCode) =>
      resolve({ stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), exitCode }),
    )
    if (options.open === true) child.stdin.write(options.stdin ?? '')
    else child.stdin.end(options.stdin ?? '')
  })
}
