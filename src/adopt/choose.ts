import type { HookEntry, Layer } from '../config.ts'
import type { EventKind } from '../event.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'

/** One hook of the settings, and whether it can be taken. */
export interface Candidate {
  readonly key: string
  readonly entry: HookEntry
  /** Why it stays where it is; undefined: it is taken. */
  readonly stays?: string
}

export interface ChooseOptions {
  /** Events at which Holdpoint is started; at any other an adopted hook would never run. */
  readonly events: ReadonlySet<EventKind>
  /** Why the programs of this entry cannot be started from here; undefined: they can. */
  unclear(entry: HookEntry): string | undefined
}

/**
 * Which hooks of a settings file Holdpoint can run as the agent does. A hook that would mean anything else here, or
 * that nobody would start, stays where it is. Pure.
 */
export function chooseHooks(
  layer: Layer,
  settings: JsonObject,
  { events, unclear }: ChooseOptions,
): readonly Candidate[] {
  return layer.hooks.map((entry) => {
    const key = entry.origin.key?.replace(/^(preToolUseHook)\..*$/, '$1') ?? ''
    const [on] = entry.on
    const handler = valueAt(settings, key)
    const stays =
      entry.run.type !== 'command'
        ? 'it is no command'
        : isObject(handler) && (handler.async === true || handler.asyncRewake === true)
          ? 'it runs in the background'
          : on === undefined || !events.has(on)
            ? `Holdpoint is not started at ${on}; run \`holdpoint init\` for this scope`
            : unclear(entry)
    return { key, entry, ...(stays === undefined ? {} : { stays }) }
  })
}

/** Equal handlers of one event are one hook: whoever takes one takes them all. */
export function withCopies(keys: readonly string[], settings: JsonObject): (key: string) => boolean {
  const taken = new Set(keys)
  const prints = new Set(keys.map((key) => printOf(settings, key)))
  return (key) => taken.has(key) || prints.has(printOf(settings, key))
}

/** A hook that cannot answer denies, where its event can be stopped at all. */
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
export function joined(before: JsonObject, more: JsonObject): JsonObject {
  const hooks: Record<string, Json> = { ...(isObject(before.hooks) ? before.hooks : {}) }
  for (const [event, groups] of Object.entries(isObject(more.hooks) ? more.hooks : {})) {
    hooks[event] = [...asList(hooks[event]), ...asList(groups)]
  }
  return { ...before, ...more, ...(Object.keys(hooks).length === 0 ? {} : { hooks }) }
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** The event, the matcher and the handler: what makes two handlers one. */
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
