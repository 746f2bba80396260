import { statSync } from 'node:fs'
import type { Failure } from '../../core/decision.ts'
import type { OnStop } from '../../core/handler.ts'
import type { Json } from '../../core/json.ts'
import { type Stamp, sameStamp, stampOf } from '../file-stamp.ts'
import { type ModuleFiles, moduleFiles } from '../module-files.ts'
import { programFile } from '../package.ts'
import { isBelow } from '../regular-file.ts'
import type { ModulePart, ModuleRequest } from './host/protocol.ts'
import { createPool, type ModuleJob, type Pool } from './pool.ts'

const PROCESSES_MAX = 8
const IDLE_MS = 60_000

/** One for all plans of this program: the limit is for the machine, not for a project. */
const shared = createPool(PROCESSES_MAX, IDLE_MS)

/** One call of a module: where it is, where it runs, and what it is asked. */
export interface ModuleCall {
  /** Modules that name the same people, such as the file that names them, may share a process. */
  readonly group: string
  /** The folder that the name of the module starts from. */
  readonly root: string
  readonly place: ModulePlace
  readonly ask: Omit<ModuleRequest, 'part'> & Pick<ModulePart, 'export' | 'pack'>
}

/** Where modules run. One object for all calls of an event, because finding it out takes time. */
export interface ModulePlace {
  readonly project: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly key: string
}

/** They run in the first of these that is a folder. */
export function modulePlace(
  folders: readonly [project: string, ...others: string[]],
  env: Readonly<Record<string, string>>,
): ModulePlace {
  const cwd = folders.find(isFolder) ?? '/'
  return { project: folders[0], cwd, env, key: JSON.stringify([cwd, env]) }
}

export type RunModule = (call: ModuleCall, onStop: OnStop) => Promise<{ readonly answer: Json } | Failure>

/** Runs a module in a process of its group, as its files are now. Never rejects. */
export function moduleRunner(module: string, pool: Pool = shared): RunModule {
  const look = lookAgain(module)
  let last: { readonly call: ModuleCall; readonly job: PreparedJob } | undefined
  return (call, onStop) => {
    const { root, ask } = call
    const found = look(root)
    if (found.entry === undefined) return failed(`there is no module ${module}`)
    const program = programFile('module-host')
    if (stampNow(program).found === undefined)
      return failed('Holdpoint is not installed completely: module-host.cjs is missing')
    const isSame =
      last?.call.place.key === call.place.key &&
      last.call.group === call.group &&
      last.job.stamps === found.stamps
    const job = isSame && last !== undefined ? last.job : jobFor(call, found, found.entry, program)
    last = { call, job }
    const { event, shared, own, args } = ask
    return pool.run({ ...job, request: { part: job.part, event, shared, own, args } }, onStop)
  }
}

/** Everything of a job that is the same for the next call. */
interface PreparedJob extends Omit<ModuleJob, 'request'> {
  readonly part: ModulePart
}

function jobFor(
  { group, place, ask }: ModuleCall,
  { version, stamps, isClear, isNative, own }: Look,
  entry: string,
  program: string,
): PreparedJob {
  const { pack } = ask
  const guard = pack?.kind === 'check' ? pack.guard : (pack?.kind ?? '')
  // A file of the project is trusted in another way than a file of the user, even if one file names both.
  const whose = isBelow(entry, place.project) ? 'project' : 'other'
  return {
    program,
    cwd: place.cwd,
    env: place.env,
    stamps,
    reusable: isClear,
    group: `${place.key}\n${program}\n${whose}\n${group}`,
    unit: `${version}\n${ask.export ?? ''}\n${guard}`,
    part: { file: entry, loader: isNative ? 'native' : 'typescript', own, export: ask.export, pack },
  }
}

async function failed(message: string): Promise<Failure> {
  return { failure: 'import', message }
}

interface Look extends ModuleFiles {
  readonly stamps: readonly Stamp[]
  /** The entry and the state of all files, as one text. */
  readonly version: string
}

/** The current state of the module. It is read again only if one of its files has changed. */
function lookAgain(module: string): (root: string) => Look {
  let last: { readonly root: string; readonly look: Look } | undefined
  return (root) => {
    if (last?.root === root && last.look.stamps.length > 0 && last.look.stamps.every(isCurrent))
      return last.look
    const files = moduleFiles(module, root)
    const stamps = files.files.map(stampOf)
    last = { root, look: { ...files, stamps, version: JSON.stringify([files.entry, stamps]) } }
    return last.look
  }
}

function isCurrent(stamp: Stamp): boolean {
  return sameStamp(stamp, stampNow(stamp.path))
}

/** Hooks that run in the same moment ask for the same files. */
const moment = new Map<string, Stamp>()

function stampNow(path: string): Stamp {
  if (moment.size === 0) queueMicrotask(() => moment.clear())
  const known = moment.get(path)
  if (known !== undefined) return known
  const stamp = stampOf(path)
  moment.set(path, stamp)
  return stamp
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
