import { HoldpointError } from '../core/errors.ts'
import type { Pack } from '../core/guard.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import type { StateStore } from '../core/state/state.ts'

/**
 * Everything is optional: an empty runtime has no hooks, keeps its state in memory and reads no
 * configuration.
 */
export interface RuntimeOptions {
  /** Packs to switch on: built-in ones by name, your own (`definePack`), each also with options. */
  readonly packs?: PackChoice
  /** Configuration files, read once. Trusted, because the program names them. */
  readonly config?: readonly string[]
  /**
   * The store for what hooks remember between events. Several runtimes, even in several processes, may share
   * one.
   */
  readonly state?: StateStore
  /** The session of events that name none. Missing: a new one. */
  readonly session?: string
  /** The folder that the agents work in. Missing: the process's folder. */
  readonly cwd?: string
  /** The environment that hooks and programs see. Missing: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /**
   * The time for all hooks of one event together. Missing: 27 seconds before a call, more at the end of a
   * turn.
   */
  readonly budgetMs?: number
  /** A monotonic clock in milliseconds. */
  now?(): number
}

/**
 * @example
 * createRuntime({ packs: ['safety', acme, ['secrets', { level: 'strict' }]] })
 * createRuntime({ packs: { safety: true, secrets: { level: 'strict' } } })
 */
export type PackChoice =
  | readonly (string | Pack | readonly [string | Pack, JsonObject])[]
  | Readonly<Record<string, boolean | JsonObject>>

const KEYS = ['packs', 'config', 'state', 'session', 'cwd', 'env', 'budgetMs', 'now'] as const

/** The program may be JavaScript, and a typo in an option could mean a runtime without its packs. */
export function checkedOptions(options: RuntimeOptions): RuntimeOptions {
  if (!isObject(options as unknown)) throw invalid('options', 'must be an object')
  const unknown = Object.keys(options).find((key) => !KEYS.some((known) => known === key))
  if (unknown !== undefined) throw invalid(unknown, `is not an option; options: ${KEYS.join(', ')}`)
  const { packs, config, session, cwd, env, budgetMs, now, state } = options
  if (packs !== undefined && !arePacks(packs))
    throw invalid('packs', 'must be a list of names and packs, or { name: true }')
  if (config !== undefined && !isList(config)) throw invalid('config', 'must be a list of files')
  if (session !== undefined && typeof session !== 'string') throw invalid('session', 'must be a string')
  if (cwd !== undefined && typeof cwd !== 'string') throw invalid('cwd', 'must be a path')
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
  if (Array.isArray(packs)) return packs.every(isPackItem)
  if (!isObject(packs)) return false
  return Object.values<unknown>(packs).every((value) => typeof value === 'boolean' || isObject(value))
}

function isPackItem(item: unknown): boolean {
  if (Array.isArray(item)) return item.length === 2 && isPackItem(item[0]) && isObject(item[1])
  return typeof item === 'string' || isObject(item)
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function invalid(key: string, what: string): HoldpointError {
  const fix = 'Correct the options of createRuntime.'
  return new HoldpointError({ code: 'OPTION_INVALID', key, message: `\`${key}\` ${what}.`, fix })
}
