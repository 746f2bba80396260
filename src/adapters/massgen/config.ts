import { resolve } from 'node:path'
import { bad, good, type Problem, type Result } from '../../core/errors.ts'
import type { Override } from '../../core/hook.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import type { HookEntry } from '../../core/layer.ts'
import type { HookCallable } from './function-hook.ts'

/** What one configuration contains. */
export interface Configured {
  readonly entries: readonly HookEntry[]
  /** They also apply to hooks from code. */
  readonly overrides: readonly Override[]
  readonly problems: readonly Problem[]
}

export interface ConfigPlace {
  /** Configuring the same source again replaces it. */
  readonly place: string
  readonly read: Result<Configured>
}

type Handlers = Readonly<Record<string, HookCallable>>

/** A whole configuration as text, or a mapping of events to hooks, which is the part below `hooks`. */
export async function readConfigText(
  config: string | JsonObject,
  agentId: string | undefined,
  root: string,
  handlers: Handlers,
): Promise<ConfigPlace> {
  const place = placeOf(agentId)
  if (typeof config === 'string' && agentId === undefined) {
    return { place, read: await read(config, place, root, handlers) }
  }
  if (!isObject(config)) {
    const message = 'The hooks of one agent must be an object: { PreToolUse: [...] }.'
    return { place, read: bad('HOOK_INVALID', message, { file: place }) }
  }
  const whole =
    agentId === undefined ? { hooks: config } : { agents: [{ id: agentId, backend: { hooks: config } }] }
  return { place, read: await read(JSON.stringify(whole), place, root, handlers) }
}

/** The name of a source that is text or a mapping. */
export function placeOf(agentId: string | undefined): string {
  return agentId === undefined ? 'the configuration' : `the configuration of ${agentId}`
}

export async function readConfigFile(file: string, root: string, handlers: Handlers): Promise<ConfigPlace> {
  const place = resolve(root, file)
  const { readConfig } = await import('../../config/read-layer.ts')
  const text = readConfig(place) ?? bad('CONFIG_UNREADABLE', 'This file does not exist.', { file: place })
  return { place, read: text.ok ? await read(text.value, place, root, handlers) : text }
}

/** Trusted, because the program itself names it. */
async function read(
  text: string,
  path: string,
  root: string,
  handlers: Handlers,
): Promise<Result<Configured>> {
  const { parseConfig } = await import('../../config/read-layer.ts')
  const layer = await parseConfig(text, { path, rank: 'call', trusted: true, root }, 'massgen-yaml')
  if (!layer.ok) return layer
  const { hooks, overrides = [], problems } = layer.value
  return good({ entries: hooks.map((entry) => withFunction(entry, handlers)), overrides, problems })
}

/** A handler that this program provides runs here, whatever type the file gives it. */
function withFunction(entry: HookEntry, handlers: Handlers): HookEntry {
  const { run } = entry
  const { python, command, module, name } = run
  const known = [python, command, module, name].find(
    (each) => typeof each === 'string' && Object.hasOwn(handlers, each),
  )
  return known === undefined
    ? entry
    : { ...entry, run: { type: 'callable', name: handlerName(String(known)), protocol: 'massgen' } }
}

/** Different from the ids of registered hooks. */
export function handlerName(name: string): string {
  return `handler ${name}`
}
