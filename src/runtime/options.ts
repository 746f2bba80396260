import { HoldpointError } from '../errors.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { StateStore } from '../state/state.ts'

/** Everything is optional: an empty runtime has no hooks, keeps its state in memory and reads no configuration. */
export interface RuntimeOptions {
  /** Built-in packs to switch on: a list of names, or names with `true` or options. */
  readonly packs?: readonly string[] | Readonly<Record<string, boolean | JsonObject>>
  /** Configuration files, read once. Trusted, because the program names them. */
  readonly config?: readonly string[]
  /** What hooks remember between events. Several runtimes, also of several processes, may share one. */
  readonly state?: StateStore
  /** The conversation of events that name none. Missing: one of this runtime's own. */
  readonly session?: string
  /** The folder the agents work in. Missing: the process's. */
  readonly cwd?: string
  /** What hooks and programs see as environment. Missing: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What all hooks of one event share. Missing: 27 seconds before an act, more at its end. */
  readonly budgetMs?: number
  /** A monotonic clock in milliseconds. */
  now?(): number
}

const KEYS = ['packs', 'config', 'state', 'session', 'cwd', 'env', 'budgetMs', 'now'] as const

/** A program may be JavaScript, and a slip in these words would be a runtime without its packs. */
export function checkedOptions(options: RuntimeOptions): RuntimeOptions {
  if (!isObject(options as unknown)) throw invalid('options', 'must be an object')
  const unknown = Object.keys(options).find((key) => !KEYS.some((known) => known === key))
  if (unknown !== undefined) throw invalid(unknown, `means nothing; options: ${KEYS.join(', ')}`)
  const { packs, config, session, cwd, env, budgetMs, now, state } = options
  if (packs !== undefined && !arePacks(packs))
    throw invalid('packs', 'must be a list of names, or { name: true }')
  if (config !== undefined && !isList(config)) throw invalid('config', 'must be a list of files')
  if (session !== undefined && typeof session !== 'string') throw invalid('session', 'must be a text')
  if (cwd !== undefined && typeof cwd !== 'string') throw invalid('cwd', 'must be a folder')
  if (env !== undefined && !isObject(env)) throw invalid('env', 'must be an object')
  if (budgetMs !== undefined && !(Number.isFinite(budgetMs) && budgetMs > 0)) {
    throw invalid('budgetMs', 'must be a number of milliseconds above 0')
  }
  if (now !== undefined && typeof now !== 'function') throw invalid('now', 'must be a function')
  if (state !== undefined && typeof state?.commit !== 'function')
    throw invalid('state', 'must be a state store')
  return options
}

function arePacks(packs: unknown): boolean {
  if (!isObject(packs)) return isList(packs)
  return Object.values<unknown>(packs).every((value) => typeof value === 'boolean' || isObject(value))
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function invalid(key: string, what: string): HoldpointError {
  const fix = 'Correct the options of createRuntime.'
  return new HoldpointError({ code: 'OPTION_INVALID', key, message: `\`${key}\` ${what}.`, fix })
}
