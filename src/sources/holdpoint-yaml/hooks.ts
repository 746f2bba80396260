import type { HookEntry } from '../../config.ts'
import type { EventKind } from '../../event.ts'
import { readOnFailure } from '../../failure-presets.ts'
import { variablesIn } from '../../handlers/http-address.ts'
import type { ActorScope, Match, Pattern, Run } from '../../hook.ts'
import { isObject, type Json } from '../../json.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import type { SourceFile } from '../source.ts'
import { whyNever } from './never-matches.ts'
import { type Reading, readMapping } from './reading.ts'
import { HOOK_EVENTS, type HookConfig, type HookEvent, hookSchema } from './schema.ts'

/** The `hooks` of a file. A hook with anything wrong in it is left out and reported; the others stand. */
export function readHooks(value: Json, reading: Reading): readonly HookEntry[] {
  const hooks = readMapping(value, 'hooks', 'a mapping of events to lists of hooks', reading)
  return Object.entries(hooks).flatMap(([event, list]) => readEvent(event, list, reading))
}

/** How many hooks a file asks for, counted before any of them is read. */
export function countHooks(value: Json | undefined): number {
  if (value === undefined || !isObject(value)) return 0
  return Object.values(value).reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
}

function readEvent(event: string, list: Json, reading: Reading): readonly HookEntry[] {
  const { problems } = reading
  const path: Path = ['hooks', event]
  if (!isHookEvent(event)) {
    problems.addUnknownKey(path, 'an event', HOOK_EVENTS)
    return []
  }
  if (list === null) return []
  if (!Array.isArray(list)) {
    problems.addWrongValue(path, 'a list of hooks, each with `- ` before it')
    return []
  }
  const ids = new Set<string>()
  return list.flatMap((item: Json, index) => {
    const hook = readHook(event, item, [...path, index], reading)
    if (hook?.id !== undefined) {
      // Both run, but no message can tell them apart.
      const message = `Another hook at ${event} has the id \`${hook.id}\` too.`
      if (ids.has(hook.id))
        problems.add('CONFIG_VALUE', [...path, index, 'id'], message, { severity: 'warning' })
      ids.add(hook.id)
    }
    return hook ?? []
  })
}

function readHook(event: HookEvent, item: Json, path: Path, reading: Reading): HookEntry | undefined {
  const parsed = hookSchema.safeParse(item)
  if (!parsed.success) {
    reading.problems.addIssues(parsed.error.issues, path)
    return undefined
  }
  const config = parsed.data
  const match = readMatch(config.match, [...path, 'match'], reading, [event])
  const actor = readActor(config.actor, [...path, 'actor'], reading)
  if (match === undefined || actor === undefined) return undefined
  warnOfVariables(config.run, [...path, 'run', 'headers'], reading)
  const { id, timeoutMs, rewrites, grants, required } = config
  return {
    ...(id === undefined ? {} : { id }),
    on: [event],
    match,
    actor,
    run: readRun(config.run, reading.file),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(config.onFailure === undefined ? {} : { onFailure: readOnFailure(config.onFailure) }),
    ...(rewrites === undefined ? {} : { rewrites }),
    ...(grants === undefined ? {} : { grants }),
    ...(required === undefined ? {} : { required }),
    origin: { file: reading.file.path, ...locate(reading.yaml, path), key: keyPath(path) },
  }
}

export function readMatch(
  match: HookConfig['match'],
  path: Path,
  reading: Reading,
  on: readonly EventKind[],
): Match | undefined {
  if (match === undefined) return {}
  if (typeof match === 'string') return readPatterns({ subject: match }, () => path, reading, on)
  const { agentName, ...rest } = match
  if (agentName === undefined) return readPatterns(rest, (key) => [...path, key], reading, on)
  if (rest.agentType !== undefined) {
    const message = '`agentName` is another name for `agentType`; write one of them.'
    reading.problems.add('CONFIG_KEY', [...path, 'agentName'], message, { part: 'key' })
    return undefined
  }
  const nameOf = (key: string) => (key === 'agentType' ? 'agentName' : key)
  return readPatterns({ ...rest, agentType: agentName }, (key) => [...path, nameOf(key)], reading, on)
}

export function readActor(actor: HookConfig['actor'], path: Path, reading: Reading): ActorScope | undefined {
  if (actor === undefined) return {}
  const { agentType, ...rest } = actor
  const patterns = readPatterns(
    agentType === undefined ? {} : { agentType },
    (key) => [...path, key],
    reading,
  )
  return patterns && { ...rest, ...patterns }
}

/** Undefined when a pattern is wrong; every wrong one is reported. One that matches everything is left away. */
function readPatterns<Key extends string>(
  texts: Readonly<Partial<Record<Key, string>>>,
  pathOf: (key: string) => Path,
  { readMatcher, problems }: Reading,
  on: readonly EventKind[] = [],
): Partial<Record<Key, Pattern>> | undefined {
  const patterns: [string, Pattern][] = []
  let isGood = true
  for (const [key, text] of Object.entries<string | undefined>(texts)) {
    if (text === undefined) continue
    const matcher = readMatcher(text, 'auto')
    if (!matcher.ok) {
      problems.add('CONFIG_MATCHER', pathOf(key), matcher.problem.message)
      isGood = false
      continue
    }
    const { pattern, warning } = matcher.value
    if (warning !== undefined) problems.add('CONFIG_MATCHER', pathOf(key), warning, { severity: 'warning' })
    if (pattern === undefined) continue
    const never = warning === undefined && on.length > 0 ? whyNever(key, text, pattern, on) : undefined
    if (never !== undefined) problems.add('CONFIG_MATCHER', pathOf(key), never, { severity: 'warning' })
    patterns.push([key, pattern])
  }
  return isGood ? (Object.fromEntries(patterns) as Partial<Record<Key, Pattern>>) : undefined
}

function readRun(run: HookConfig['run'], file: SourceFile): Run {
  if (typeof run === 'string' && SCRIPT.test(run)) {
    return { type: 'module', module: run, root: file.root }
  }
  if (typeof run === 'object' && 'module' in run) return { type: 'module', ...run, root: file.root }
  if (typeof run === 'object' && 'url' in run) return { type: 'http', ...run }
  const { command, args, protocol = 'claude' } = typeof run === 'string' ? { command: run } : run
  return { type: 'command', command, ...(args === undefined ? {} : { args }), protocol, root: file.root }
}

/** A variable nobody lists is sent as nothing, and the server then refuses for reasons that are hard to find. */
function warnOfVariables(run: HookConfig['run'], path: Path, { problems }: Reading): void {
  if (typeof run === 'string' || !('url' in run)) return
  for (const [header, value] of Object.entries(run.headers ?? {})) {
    const unlisted = variablesIn(value).find((name) => run.allowedEnvVars?.includes(name) !== true)
    if (unlisted === undefined) continue
    const message = `\`$${unlisted}\` is not in \`allowedEnvVars\`, so nothing is sent in its place.`
    problems.add('CONFIG_VALUE', [...path, header], message, { severity: 'warning' })
  }
}

/**
 * One word that ends like a script. Run as a program, a policy would define itself, print nothing and so let
 * everything pass; a program loaded as a module fails aloud.
 */
const SCRIPT = /^\S+\.[cm]?[jt]s$/

function isHookEvent(event: string): event is HookEvent {
  return HOOK_EVENTS.some((kind) => kind === event)
}
