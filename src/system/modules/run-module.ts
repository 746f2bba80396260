import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import type { Failure } from '../../core/decision.ts'
import type { Json } from '../../core/json.ts'
import { type ModuleFiles, moduleFiles } from '../module-files.ts'
import { programFile } from '../package.ts'
import { isPlanFresh, type Stamp, stampOf } from '../plan-cache.ts'
import type { ModuleRequest } from './host/protocol.ts'
import { createPool, type Pool } from './pool.ts'

const PROCESSES_MAX = 8
const IDLE_MS = 60_000

/** One for all plans of this program: the limit is for the machine, not for a project. */
const shared = createPool(PROCESSES_MAX, IDLE_MS)

/** One call of a module: where it is, where it runs, and what it is asked. */
export interface ModuleCall {
  /** The folder that the name of the module starts from. */
  readonly root: string
  /** Where it runs: the first of these that is a folder. */
  readonly folders: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly ask: Omit<ModuleRequest, 'id' | 'file' | 'loader' | 'own'>
}

export type RunModule = (
  call: ModuleCall,
  signal: AbortSignal,
) => Promise<{ readonly answer: Json } | Failure>

/** Runs a module in a process of its own, as its files are now. Never rejects. */
export function moduleRunner(module: string, pool: Pool = shared): RunModule {
  const look = lookAgain(module)
  return async ({ root, folders, env, ask }, signal) => {
    const found = look(root)
    if (found.entry === undefined) return { failure: 'import', message: `there is no module ${module}` }
    const program = programFile('module-host')
    if (!existsSync(program)) {
      return {
        failure: 'import',
        message: 'Holdpoint is not installed completely: module-host.cjs is missing',
      }
    }
    const cwd = folders.find(isFolder) ?? '/'
    const job = {
      key: JSON.stringify([cwd, env, program, found.entry, found.stamps]),
      program,
      cwd,
      env,
      reusable: found.isClear,
      request: {
        id: randomBytes(8).toString('hex'),
        file: found.entry,
        loader: found.isNative ? ('native' as const) : ('typescript' as const),
        own: found.own,
        ...ask,
      },
    }
    return pool.run(job, signal)
  }
}

interface Look extends ModuleFiles {
  readonly stamps: readonly Stamp[]
}

/** The current state of the module. It is read again only if one of its files has changed. */
function lookAgain(module: string): (root: string) => Look {
  let last: { readonly root: string; readonly look: Look } | undefined
  return (root) => {
    if (last?.root === root && last.look.stamps.length > 0 && isPlanFresh(last.look)) return last.look
    const files = moduleFiles(module, root)
    last = { root, look: { ...files, stamps: files.files.map(stampOf) } }
    return last.look
  }
}

/**
 * The variables that any process needs. The caller's environment is data in the context, with a new or a kept
 * process.
 */
export function moduleEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  path: string | undefined,
): Readonly<Record<string, string>> {
  const kept = KEPT.flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { HOME: home, ...(path === undefined ? {} : { PATH: path }), ...Object.fromEntries(kept) }
}

const KEPT: readonly string[] = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'SystemRoot', 'USERPROFILE']

function isFolder(path: string): boolean {
  return path !== '' && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)
}
