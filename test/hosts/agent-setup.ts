import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Places, Turn } from './agents.ts'
import { endDaemon } from './daemon.ts'
import { install, installForPlugin, installPlugin } from './install.ts'
import { type ModelRequest, type ModelTurn, startModel } from './models/model.ts'
import { createSandbox, ROOT, type Sandbox, writeFile } from './sandbox.ts'
import { snapshot } from './snapshot.ts'

/**
 * An agent program with Holdpoint installed for it, once. Every sandbox is a fresh copy of this state at the same path,
 * because installed hooks contain absolute paths. So the sandboxes of one setup are used one after the other.
 */
export interface AgentSetup {
  /** Runs `act` in a fresh sandbox whose model follows the script, and removes the sandbox afterwards. */
  run<T>(script: Conversations, act: (sandbox: Sandbox) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Conversations by name. The one that is started is `main`. */
export type Conversations = Readonly<Record<string, readonly Turn[]>>

export interface SetupOptions {
  /** The program that `init` finds, if it is not the one that is started afterwards. */
  readonly installedFor?: Agent
  /** More arguments for `init`. */
  readonly init?: readonly string[]
  /** Install the plugin too, or instead of the hooks that `init` writes. */
  readonly plugin?: 'beside' | 'alone'
}

/** Relative links stay relative: a daemon whose link leads to another folder would exit as outdated. */
const COPY = { recursive: true, verbatimSymlinks: true }

export async function setUpAgent(agent: Agent, options: SetupOptions = {}): Promise<AgentSetup> {
  if (!existsSync(join(ROOT, 'dist', 'hook.cjs')))
    throw new Error('dist/ is missing: run `npm run build` first')
  const missing = agent.program.find((part) => isAbsolute(part) && !existsSync(part))
  // An agent that cannot start does nothing bad either, and many scenarios only look for that.
  if (missing !== undefined)
    throw new Error(`${missing} is missing: run \`npm ci --prefix test/hosts\` first`)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-hosts-')))
  const [fresh, used] = [join(folder, 'fresh'), join(folder, 'used')]
  const places: Places = {
    home: join(used, 'home'),
    project: join(used, 'project'),
    holdpoint: join(used, 'holdpoint'),
    temporary: join(used, 'tmp'),
  }
  const model = await startModel(agent.wire)
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true })
  for (const [path, text] of Object.entries(agent.files(places, model.url))) writeFile(path, text)
  const sandbox = createSandbox(agent, places, model, snapshot(places.home, agent.scratch))
  if (options.plugin !== undefined) installPlugin(sandbox)
  if (options.plugin === 'alone') installForPlugin(sandbox)
  else install(sandbox, options.installedFor ?? agent, options.init)
  await endDaemon(places)
  // Records of the probes of `init` do not belong to any run.
  rmSync(join(places.holdpoint, 'journal'), { recursive: true, force: true })
  cpSync(used, fresh, COPY)
  return {
    async run(script, act) {
      await endDaemon(places)
      rmSync(used, { recursive: true, force: true, maxRetries: 5 })
      cpSync(fresh, used, COPY)
      model.play(playing(agent, script, places))
      try {
        return await act(sandbox)
      } finally {
        await endDaemon(places)
        await endLeftovers(used)
      }
    },
    async close() {
      await endDaemon(places)
      await model.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function playing(
  agent: Agent,
  script: Conversations,
  places: Places,
): (request: ModelRequest) => ModelTurn | undefined {
  const conversations = new Map(
    Object.entries(script).map(([name, turns]) => [name, turns.flatMap((turn) => agent.turns(turn, places))]),
  )
  return (request) => conversations.get(request.conversation ?? '')?.[request.step]?.(request)
}

/** A process that outlives its run is a defect of the program that started it. It is ended and reported. */
async function endLeftovers(folder: string): Promise<void> {
  const left = await leftovers(folder)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  if (left.length > 0) throw new Error(`${left.length} processes of this sandbox were still running`)
}

const LEFTOVER_TRIES = 600

/** Processes that have the folder in their environment, after a minute to end by themselves. */
async function leftovers(folder: string): Promise<readonly number[]> {
  for (let tries = 0; existsSync('/proc/self'); tries += 1) {
    const pids = readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && environmentOf(name).includes(folder),
    )
    if (pids.length === 0 || tries === LEFTOVER_TRIES) return pids.map(Number)
    await sleep(100)
  }
  return []
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return ''
  }
}
