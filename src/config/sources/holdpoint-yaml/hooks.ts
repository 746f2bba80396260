import { readOnFailure } from '../../../core/failure-presets.ts'
import { isObject, type Json } from '../../../core/json.ts'
import type { HookEntry } from '../../../core/layer.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import { holdHook, meantEvent } from './held-entries.ts'
import { readActor, readMatch } from './match.ts'
import type { YamlReader } from './reading.ts'
import { readWrittenRun } from './run-schema.ts'
import { HOOK_EVENTS, hookSchema, type KnownEvent } from './schema.ts'

/** The `hooks` of a file. A hook with an error is reported and applies its `onFailure`; the others are kept. */
export function readHooks(value: Json, reading: YamlReader): readonly HookEntry[] {
  if (value === null) return []
  if (isObject(value)) {
    return Object.entries(value).flatMap(([event, list]) => readEvent(event, list, reading))
  }
  const mark = reading.problems.mark()
  reading.problems.addWrongValue(['hooks'], 'a mapping of events to lists of hooks')
  return holdHooks('PreToolUse', value, ['hooks'], mark, reading)
}

/** The hooks below a key that is wrong, so that none of them can be read. */
function holdHooks(
  event: KnownEvent,
  value: Json,
  path: Path,
  mark: number,
  reading: YamlReader,
): readonly HookEntry[] {
  if (!Array.isArray(value)) return holdHook(event, value, path, mark, reading)
  return value.flatMap((item: Json, index) => holdHook(event, item, [...path, index], mark, reading))
}

/** The hooks below a misspelled `hooks`. */
export function holdEvents(
  value: Json,
  key: string,
  mark: number,
  reading: YamlReader,
): readonly HookEntry[] {
  if (!isObject(value)) return holdHooks('PreToolUse', value, [key], mark, reading)
  return Object.entries(value).flatMap(([event, list]) =>
    holdHooks(meantEvent(event), list, [key, event], mark, reading),
  )
}

/** The number of hooks in a file, counted before any of them is read. */
export function countHooks(value: Json | undefined): number {
  if (value === undefined || !isObject(value)) return 0
  return Object.values(value).reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
}

function readEvent(event: string, list: Json, reading: YamlReader): readonly HookEntry[] {
  const { problems } = reading
  const path: Path = ['hooks', event]
  const mark = problems.mark()
  if (!isHookEvent(event)) {
    problems.addUnknownKey(path, 'an event', HOOK_EVENTS)
    return holdHooks(meantEvent(event), list, path, mark, reading)
  }
  if (list === null) return []
  if (!Array.isArray(list)) {
    problems.addWrongValue(path, 'a list of hooks, each with `- ` before it')
    return holdHook(event, list, path, mark, reading)
  }
  const ids = new Set<string>()
  return list.flatMap((item: Json, index) => {
    const before = problems.mark()
    const hook = readHook(event, item, [...path, index], reading)
    if (hook?.id !== undefined) {
      // Both run, but messages cannot distinguish them.
      const message = `Another hook at ${event} has the id \`${hook.id}\` too.`
      if (ids.has(hook.id))
        problems.add('CONFIG_VALUE', [...path, index, 'id'], message, { severity: 'warning' })
      ids.add(hook.id)
    }
    return hook ?? holdHook(event, item, [...path, index], before, reading)
  })
}

function readHook(event: KnownEvent, item: Json, path: Path, reading: YamlReader): HookEntry | undefined {
  const parsed = hookSchema.safeParse(item)
  if (!parsed.success) {
    reading.problems.addIssues(parsed.error.issues, path)
    return undefined
  }
  const config = parsed.data
  const match = readMatch(config.match, [...path, 'match'], reading, [event])
  const actor = readActor(config.actor, [...path, 'actor'], reading)
  if (match === undefined || actor === undefined) return undefined
  const { run, doubts } = readWrittenRun(config.run, reading.file.root)
  for (const doubt of doubts) {
    const at = [...path, 'run', ...doubt.path]
    reading.problems.add('CONFIG_VALUE', at, doubt.message, { severity: 'warning' })
  }
  const { id, timeoutMs, rewrites, grants, required } = config
  return {
    ...(id === undefined ? {} : { id }),
    on: [event],
    match,
    actor,
    run,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(config.onFailure === undefined ? {} : { onFailure: readOnFailure(config.onFailure) }),
    ...(rewrites === undefined ? {} : { rewrites }),
    ...(grants === undefined ? {} : { grants }),
    ...(required === undefined ? {} : { required }),
    origin: { file: reading.file.path, ...locate(reading.yaml, path), key: keyPath(path) },
  }
}

function isHookEvent(event: string): event is KnownEvent {
  return HOOK_EVENTS.some((kind) => kind === event)
}
