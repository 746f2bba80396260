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
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Places, Turn } from './agents.ts'
import { endDaemon } from './daemon.ts'
import { install } from './install.ts'
import { type ModelRequest, type ModelTurn, startModel } from './models/model.ts'
import { snapshot } from './snapshot.ts'
import { createWorld, ROOT, type World, writeFile } from './world.ts'

/**
 * An agent program with Holdpoint installed beside it, once. Every world is a fresh copy of that moment in the same
 * place, because installed entries name absolute paths; so worlds of one station come one after another.
 */
export interface Station {
  /** Runs `act` in a fresh world whose model follows the script; afterwards nothing of the world is left. */
  visit<T>(script: Conversations, act: (world: World) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Conversations by name; `main` is the one that is started. */
export type Conversations = Readonly<Record<string, readonly Turn[]>>

export interface StationOptions {
  /** The program `init` finds, when it is not the one that is then started. */
  readonly installedFor?: Agent
  /** More words for `init`. */
  readonly init?: readonly string[]
}

export async function openStation(agent: Agent, options: StationOptions = {}): Promise<Station> {
  if (!existsSync(join(ROOT, 'dist', 'hook.cjs')))
    throw new Error('dist/ is missing: run `npm run build` first')
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-hosts-')))
  const [fresh, used] = [join(folder, 'fresh'), join(folder, 'world')]
  const places: Places = {
    home: join(used, 'home'),
    project: join(used, 'project'),
    holdpoint: join(used, 'holdpoint'),
    temporary: join(used, 'tmp'),
  }
  const model = await startModel(agent.wire)
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true })
  for (const [path, text] of Object.entries(agent.files(places, model.url))) writeFile(path, text)
  const world = createWorld(agent, places, model, snapshot(places.home, agent.scratch))
  install(world, options.installedFor ?? agent, options.init)
  await endDaemon(places)
  // `init` has tried its entries; those records are of no run.
  rmSync(join(places.holdpoint, 'journal'), { recursive: true, force: true })
  cpSync(used, fresh, { recursive: true })
  return {
    async visit(script, act) {
      await endDaemon(places)
      rmSync(used, { recursive: true, force: true, maxRetries: 5 })
      cpSync(fresh, used, { recursive: true })
      model.play(playing(agent, script))
      try {
        return await act(world)
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

function playing(agent: Agent, script: Conversations): (request: ModelRequest) => ModelTurn | undefined {
  const conversations = new Map(
    Object.entries(script).map(([name, turns]) => [name, turns.flatMap((turn) => agent.turns(turn))]),
  )
  return (request) => conversations.get(request.conversation ?? '')?.[request.step]?.(request)
}

/** A process that outlives its run is a defect of whoever started it; it is ended and told. */
async function endLeftovers(folder: string): Promise<void> {
  const left = await leftovers(folder)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  if (left.length > 0) throw new Error(`${left.length} processes of this world were still running`)
}

const LEFTOVER_TRIES = 600

/** Processes that carry the folder in their environment; given a minute to end by themselves. */
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
    // It ended meanwhile, or is somebody else's.
    return ''
  }
}
