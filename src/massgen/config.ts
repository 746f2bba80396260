import { resolve } from 'node:path'
import type { HookEntry } from '../config.ts'
import { bad, good, type Problem, type Result } from '../errors.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { HookCallable } from './function-hook.ts'
import type { Override } from './registry.ts'

/** What one configuration says. */
export interface Configured {
  readonly entries: readonly HookEntry[]
  readonly overrides: readonly Override[]
  readonly problems: readonly Problem[]
}

export interface ConfigPlace {
  /** Told again, it takes the place of what it said before. */
  readonly place: string
  readonly read: Result<Configured>
}

type Handlers = Readonly<Record<string, HookCallable>>

/** A whole configuration as text, or a mapping of events to hooks, which is what stands below `hooks`. */
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
    const message = 'The hooks of one agent are given as an object: { PreToolUse: [...] }.'
    return { place, read: bad('HOOK_INVALID', message, { file: place }) }
  }
  const whole =
    agentId === undefined ? { hooks: config } : { agents: [{ id: agentId, backend: { hooks: config } }] }
  return { place, read: await read(JSON.stringify(whole), place, root, handlers) }
}

/** The place of what is given as text or a mapping. */
export function placeOf(agentId: string | undefined): string {
  return agentId === undefined ? 'the configuration' : `the configuration of ${agentId}`
}

export async function readConfigFile(file: string, root: string, handlers: Handlers): Promise<ConfigPlace> {
  const place = resolve(root, file)
  const { readConfig } = await import('../read-layer.ts')
  const text = readConfig(place) ?? bad('CONFIG_UNREADABLE', 'There is no such file.', { file: place })
  return { place, read: text.ok ? await read(text.value, place, root, handlers) : text }
}

/** Trusted: the program itself names it. */
async function read(
  text: string,
  path: string,
  root: string,
  handlers: Handlers,
): Promise<Result<Configured>> {
  const { parseConfig } = await import('../read-layer.ts')
  const layer = await parseConfig(text, { path, rank: 'call', trusted: true, root }, 'massgen-yaml')
  if (!layer.ok) return layer
  const { hooks, overrides = [], problems } = layer.value
  // The overrides of the file hold for hooks from code as well; the judge applies them to all, as long as they hold.
  const entries = hooks.map(({ actor: { exceptAgents: _replaced, ...actor }, ...entry }) =>
    withFunction({ ...entry, actor }, handlers),
  )
  return good({ entries, overrides, problems })
}

/** A handler this program provides runs here, whatever type the file says it is. */
function withFunction(entry: HookEntry, handlers: Handlers): HookEntry {
  const { run } = entry
  const { python, command, module, name } = run
  const known = [python, command, module, name].find(
    (each) => typeof each === 'string' && Object.hasOwn(handlers, each),
  )
  return known === undefined
    ? entry
    : { ...entry, run: { type: 'callable', name: handlerName(String(known)) } }
}

/** Apart from the ids of registered hooks. */
export function handlerName(name: string): string {
  return `handler ${name}`
}
