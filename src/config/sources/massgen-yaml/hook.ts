import type { EventKind } from '../../../core/event.ts'
import { FAILURE_PRESETS, readOnFailure } from '../../../core/failure-presets.ts'
import type { ActorScope, Matcher } from '../../../core/hook.ts'
import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { HookEntry } from '../../../core/layer.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import type { MassGenReader } from './reading.ts'
import { readRun } from './run.ts'

/** One hook. Undefined if it must be left out, which is reported. */
export function readHook(
  event: EventKind,
  value: Json,
  path: Path,
  scope: ActorScope,
  reading: MassGenReader,
): HookEntry | undefined {
  const { problems, yaml, file } = reading
  if (!isObject(value)) {
    problems.addWrongValue(path, 'a mapping with `handler` and `type`')
    return undefined
  }
  warnOfUnknownKeys(value, path, reading)
  const match = readMatch(value.matcher, [...path, 'matcher'], reading)
  const run = readRun(value, path, reading)
  const timing = readTimeout(value.timeout, [...path, 'timeout'], reading)
  const flags = readFlags(value, path, reading)
  if (match === undefined || run === undefined || timing === undefined || flags === undefined) {
    return undefined
  }
  return {
    on: [event],
    match,
    actor: scope,
    run,
    ...timing,
    onFailure: flags.failClosed ? readOnFailure('deny') : FAILURE_PRESETS.massgen,
    // One after another, each on the result of the previous one, until one denies.
    rewrites: true,
    shortCircuit: true,
    ...(flags.required ? { required: true } : {}),
    origin: { file: file.path, ...locate(yaml, path), key: keyPath(path) },
  }
}

const KEYS: readonly string[] = ['matcher', 'handler', 'type', 'timeout', 'fail_closed', 'env', 'required']

/** Without its matcher a hook runs more often, not less. So an unknown key does not disable a guard. */
function warnOfUnknownKeys(value: JsonObject, path: Path, { problems }: MassGenReader): void {
  for (const key of Object.keys(value).filter((each) => !KEYS.includes(each))) {
    const message = `\`${key.slice(0, 60)}\` is not a known key and has no effect. Accepted: ${KEYS.join(', ')}.`
    problems.add('CONFIG_KEY', [...path, key], message, { part: 'key', severity: 'warning' })
  }
}

function readMatch(matcher: Json | undefined, path: Path, reading: MassGenReader): Matcher | undefined {
  const { problems, readMatcher } = reading
  if (matcher === undefined || matcher === null) return {}
  if (typeof matcher !== 'string') {
    problems.addWrongValue(path, 'names of tools or globs, joined by `|`')
    return undefined
  }
  const read = readMatcher(matcher, 'glob')
  if (!read.ok) {
    problems.add('CONFIG_MATCHER', path, read.problem.message)
    return undefined
  }
  const { pattern, warning } = read.value
  if (warning !== undefined) problems.add('CONFIG_MATCHER', path, warning, { severity: 'warning' })
  return pattern === undefined ? {} : { subject: pattern }
}

function readFlags(
  { required = false, fail_closed: failClosed = false }: JsonObject,
  path: Path,
  { problems }: MassGenReader,
): { readonly required: boolean; readonly failClosed: boolean } | undefined {
  if (typeof required !== 'boolean') problems.addWrongValue([...path, 'required'], 'true or false')
  if (typeof failClosed !== 'boolean') problems.addWrongValue([...path, 'fail_closed'], 'true or false')
  return typeof required === 'boolean' && typeof failClosed === 'boolean'
    ? { required, failClosed }
    : undefined
}

/** In seconds, as in MassGen. */
function readTimeout(
  timeout: Json | undefined,
  path: Path,
  { problems }: MassGenReader,
): Pick<HookEntry, 'timeoutMs'> | undefined {
  if (timeout === undefined || timeout === null) return { timeoutMs: TIMEOUT_MS }
  if (typeof timeout === 'number' && timeout > 0) {
    return { timeoutMs: Math.min(Math.ceil(timeout * 1_000), TIMEOUT_MAX_MS) }
  }
  problems.addWrongValue(path, 'a number of seconds')
  return undefined
}

const TIMEOUT_MS = 30_000
/** The time for the whole event limits it further. */
const TIMEOUT_MAX_MS = 600_000
