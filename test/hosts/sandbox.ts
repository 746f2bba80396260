import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { holdpointProgram } from '../installed.ts'
import type { Agent, Places, StartOptions } from './agents.ts'
import { type ModelRequest, type ModelServer, markOf } from './models/model.ts'
import type { Snapshot } from './snapshot.ts'

/** One agent program in a sandbox: a fresh home, a fresh project, a scripted model. */
export interface Sandbox {
  readonly agent: Agent
  readonly places: Places
  readonly env: Readonly<Record<string, string>>
  /** The user's home before Holdpoint was installed. */
  readonly homeBefore: Snapshot
  /** Writes a file by absolute path, or relative to the project. */
  write(path: string, text: string, mode?: number): void
  /** Runs `holdpoint` with these arguments, in the project. */
  holdpoint(args: readonly string[], env?: Readonly<Record<string, string>>, program?: string): Ended
  /** Starts the program with a prompt and waits for its end. */
  run(options?: RunOptions): Promise<Run>
}

export interface RunOptions extends StartOptions {
  /** The text before the mark, for example a slash command. */
  readonly prompt?: string
  /** The conversation that the model plays, if it is not `main`. */
  readonly conversation?: string
  /** More variables for the program. */
  readonly environment?: Readonly<Record<string, string>>
}

export interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What can be seen of one run of a program. */
export interface Run extends Ended {
  /** The turns that its model was asked for in this run. */
  readonly requests: readonly ModelRequest[]
  /** Requests that should not happen. */
  readonly unexpected: readonly string[]
  /** The records of this run. */
  readonly journal: readonly Recorded[]
  /** The text of a file of the project; undefined if it does not exist. */
  file(path: string): string | undefined
  /** Replaces the paths of this sandbox. */
  plain(text: string): string
}

/** The parts of a journal record that scenarios check. */
export interface Recorded {
  readonly event: string
  readonly session: string
  readonly agent?: string
  readonly agentType?: string
  readonly tool?: string
  readonly input?: string
  readonly effect: string
  readonly because: readonly string[]
  readonly reason?: string
  readonly failed?: readonly string[]
  readonly notices?: readonly string[]
  readonly extra?: Readonly<Record<string, unknown>>
}

export const ROOT = join(import.meta.dirname, '..', '..')
const DEADLINE_MS = 300_000

export function createSandbox(
  agent: Agent,
  places: Places,
  model: ModelServer,
  homeBefore: Snapshot,
): Sandbox {
  const env = agent.environment(places, model.url)
  const holdpoint: Sandbox['holdpoint'] = (args, more = {}, program = holdpointProgram()) =>
    runHoldpoint(program, args, places, { ...env, ...more })
  return {
    agent,
    places,
    env,
    homeBefore,
    write: (path, text, mode = 0o644) =>
      writeFile(join(path.startsWith('/') ? '' : places.project, path), text, mode),
    holdpoint,
    run: async ({ prompt = 'Play', conversation = 'main', environment = {}, ...options } = {}) => {
      const before = model.requests.length
      const since = new Date().toISOString()
      const ended = await start(agent, `${prompt} ${markOf(conversation)}`, options, places, {
        ...env,
        ...environment,
      })
      return {
        ...ended,
        requests: model.requests.slice(before).filter((request) => request.conversation !== undefined),
        unexpected: [...model.unexpected],
        journal: readJournal(holdpoint, places, since),
        file: (path) => readIfThere(join(places.project, path)),
        plain: (text) => plain(text, places),
      }
    },
  }
}

export function writeFile(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
}

function start(
  agent: Agent,
  prompt: string,
  options: StartOptions,
  places: Places,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const [file = '', ...before] = agent.program
  return new Promise((resolve, reject) => {
    // A separate process group, so that a program that hangs is ended with all its children.
    const child = spawn(file, [...before, ...agent.args(prompt, options)], {
      cwd: places.project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const [out, err]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    const tooLate = setTimeout(() => killGroup(child.pid), DEADLINE_MS)
    child.on('error', reject)
    child.on('close', (exitCode) => {
      clearTimeout(tooLate)
      resolve({ exitCode, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() })
    })
  })
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

function runHoldpoint(
  program: string,
  args: readonly string[],
  places: Places,
  env: Readonly<Record<string, string>>,
): Ended {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: places.project,
    env,
    encoding: 'utf8',
    timeout: DEADLINE_MS,
  })
  return { exitCode: status, stdout, stderr }
}

function readJournal(holdpoint: Sandbox['holdpoint'], places: Places, since: string): readonly Recorded[] {
  const { exitCode, stdout, stderr } = holdpoint([
    'log',
    '--json',
    '--since',
    since,
    '--home',
    places.holdpoint,
  ])
  if (exitCode !== 0) throw new Error(`The journal cannot be read: ${stderr}`)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded)
}

/** A folder has no text, but it exists. */
function readIfThere(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  return statSync(path).isFile() ? readFileSync(path, 'utf8') : ''
}

function plain(text: string, places: Places): string {
  return text
    .replaceAll(places.project, '<project>')
    .replaceAll(places.holdpoint, '<holdpoint>')
    .replaceAll(places.home, '~')
    .replaceAll(ROOT, '<repository>')
    .replaceAll(/hook_run_id="[^"]*"/g, 'hook_run_id="…"')
}
