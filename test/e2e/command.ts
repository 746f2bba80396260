import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The built command line in a world of its own: fresh home, fresh project, clean environment. */

const ROOT = join(import.meta.dirname, '..', '..')
const BIN = join(ROOT, 'dist', 'holdpoint.cjs')

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

export interface World {
  readonly folder: string
  readonly home: string
  readonly project: string
  /** Writes a file below the project. */
  write(path: string, text: string, mode?: number): void
  config(text: string): void
  userConfig(text: string): void
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** `holdpoint hook claude-code`, or another host, with this payload. */
  hook(payload: unknown, args?: readonly string[], options?: RunOptions): Promise<Ran>
  /** A command that goes on: its lines so far, until they satisfy. */
  follow(args: readonly string[]): Following
  remove(): void
}

export interface Following {
  until(done: (lines: readonly string[]) => boolean): Promise<readonly string[]>
  stop(): void
}

export interface RunOptions {
  /** The agent that speaks, for `hook`. */
  readonly host?: string
  readonly stdin?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Leave standard input open: a host that never closes it. */
  readonly open?: boolean
}

export function createWorld(): World {
  if (!existsSync(BIN)) throw new Error('dist/ is missing: run `npm run build` first')
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-e2e-'))
  const home = join(folder, 'home')
  const project = join(folder, 'project')
  mkdirSync(project)
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode })
  }
  const run = (args: readonly string[], options: RunOptions = {}) =>
    start(BIN, args, home, { cwd: project, ...options })
  return {
    folder,
    home,
    project,
    write: (path, text, mode) => write(join(project, path), text, mode),
    config: (text) => write(join(project, '.holdpoint', 'config.yaml'), text),
    userConfig: (text) => write(join(home, 'config.yaml'), text),
    run,
    hook: (payload, args = [], options = {}) => {
      const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
      return run(['hook', options.host ?? 'claude-code', ...args], {
        stdin: isText ? payload : JSON.stringify(payload),
        ...options,
      })
    },
    follow: (args) => follow(args, home, project),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A Claude Code payload for a call. */
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
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
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

function start(bin: string, args: readonly string[], home: string, options: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
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
