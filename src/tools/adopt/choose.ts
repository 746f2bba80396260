import type { EventKind } from '../../core/event.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { HookEntry, Layer } from '../../core/layer.ts'
import { startedLine } from '../../handlers/kind-of.ts'

/** One hook of the settings, and whether it can be adopted. */
export interface AdoptionCandidate {
  readonly key: string
  readonly entry: HookEntry
  /** Why it is not adopted; undefined: it is adopted. */
  readonly stays?: string
}

export interface ChooseOptions {
  /** Events that have a Holdpoint hook; at any other event an adopted hook would never run. */
  readonly events: ReadonlySet<EventKind>
  /** Why the programs of this hook cannot be started from Holdpoint; undefined: they can. */
  unclear(entry: HookEntry): string | undefined
}

/**
 * Decides which hooks of a settings file Holdpoint can run as the agent does. A hook that would behave
 * differently, or would never run, stays in the settings. Pure.
 */
export function chooseHooks(
  layer: Layer,
  settings: JsonObject,
  { events, unclear }: ChooseOptions,
): readonly AdoptionCandidate[] {
  return layer.hooks.map((entry) => {
    const key = entry.origin.key?.replace(/^(preToolUseHook)\..*$/, '$1') ?? ''
    const [on] = entry.on
    const handler = valueAt(settings, key)
    const stays =
      startedLine(entry.run) === undefined
        ? 'it is not a command'
        : isObject(handler) && (handler.async === true || handler.asyncRewake === true)
          ? 'it runs in the background'
          : on === undefined || !events.has(on)
            ? `\`holdpoint init\` did not add a hook for ${on} in this scope, so it would never run`
            : unclear(entry)
    return { key, entry, ...(stays === undefined ? {} : { stays }) }
  })
}

/** The agent runs equal handlers of one event once, so they are adopted together. */
export function withCopies(keys: readonly string[], settings: JsonObject): (key: string) => boolean {
  const taken = new Set(keys)
  const prints = new Set(keys.map((key) => printOf(settings, key)))
  return (key) => taken.has(key) || prints.has(printOf(settings, key))
}

/** A hook that fails denies, if its event can be stopped at all. */
export function closed(taken: JsonObject): JsonObject {
  if (!isObject(taken.hooks)) return taken
  const hooks = Object.entries(taken.hooks).map(([event, groups]) => [event, asList(groups).map(closedGroup)])
  return { ...taken, hooks: Object.fromEntries(hooks) as JsonObject }
}

function closedGroup(group: Json): Json {
  if (!isObject(group)) return group
  const { hooks } = group
  if (!Array.isArray(hooks)) return { ...group, onFailure: 'block' }
  return {
    ...group,
    hooks: hooks.map((handler: Json) => (isObject(handler) ? { ...handler, onFailure: 'block' } : handler)),
  }
}

/** Two adoptions in one file, in the order in which they were made. */
export function mergeAdoptions(before: JsonObject, more: JsonObject): JsonObject {
  const hooks: Record<string, Json> = { ...(isObject(before.hooks) ? before.hooks : {}) }
  for (const [event, groups] of Object.entries(isObject(more.hooks) ? more.hooks : {})) {
    hooks[event] = [...asList(hooks[event]), ...asList(groups)]
  }
  return { ...before, ...more, ...(Object.keys(hooks).length === 0 ? {} : { hooks }) }
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** The event, the matcher and the handler: two handlers with the same key are one. */
function printOf(settings: JsonObject, key: string): string {
  const [, event, at] = /^hooks\.([\w-]+)\[(\d+)\]/.exec(key) ?? []
  const group = event === undefined ? undefined : valueAt(settings, `hooks.${event}[${at}]`)
  const matcher = isObject(group) ? group.matcher : undefined
  const handler = valueAt(settings, key)
  const { statusMessage: _shown, once: _ignored, ...what } = isObject(handler) ? handler : {}
  return JSON.stringify([event ?? key, matcher ?? null, what])
}

function valueAt(settings: JsonObject, key: string): Json | undefined {
  let value: Json | undefined = settings
  for (const step of key.match(/[\w-]+/g) ?? []) {
    if (Array.isArray(value)) value = value[Number(step)] as Json | undefined
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }
  return value
}
