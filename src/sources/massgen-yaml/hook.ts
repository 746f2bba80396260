import type { HookEntry } from '../../config.ts'
import type { EventKind } from '../../event.ts'
import { FAILURE_PRESETS } from '../../failure-presets.ts'
import type { ActorScope, Match, Run } from '../../hook.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import { asksHoldpoint } from '../own-call.ts'
import type { Reading } from './reading.ts'

/** One hook; undefined when it has to be left out, which is said. */
export function readHook(
  event: EventKind,
  value: Json,
  path: Path,
  scope: ActorScope,
  reading: Reading,
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
  const { required = false } = value
  if (typeof required !== 'boolean') problems.addWrongValue([...path, 'required'], 'true or false')
  if (match === undefined || run === undefined || timing === undefined || typeof required !== 'boolean') {
    return undefined
  }
  return {
    on: [event],
    match,
    actor: scope,
    run,
    ...timing,
    onFailure: FAILURE_PRESETS.massgen,
    ...(required ? { required } : {}),
    origin: { file: file.path, ...locate(yaml, path), key: keyPath(path) },
  }
}

const KEYS: readonly string[] = ['matcher', 'handler', 'type', 'timeout', 'required']

/** Without its matcher a hook runs more often, not less; so a key nobody knows takes no guard away. */
function warnOfUnknownKeys(value: JsonObject, path: Path, { problems }: Reading): void {
  for (const key of Object.keys(value).filter((each) => !KEYS.includes(each))) {
    const message = `\`${key.slice(0, 60)}\` means nothing here and changes nothing. Accepted: ${KEYS.join(', ')}.`
    problems.add('CONFIG_KEY', [...path, key], message, { part: 'key', severity: 'warning' })
  }
}

function readMatch(matcher: Json | undefined, path: Path, reading: Reading): Match | undefined {
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

function readRun({ type, handler }: JsonObject, path: Path, reading: Reading): Run | undefined {
  const { problems } = reading
  const { root } = reading.file
  if (type !== 'python' && type !== 'command') {
    problems.addWrongValue([...path, 'type'], '`python` or `command`')
    return undefined
  }
  if (type === 'python') {
    if (typeof handler === 'string' && CALLABLE.test(handler)) {
      return { type: 'command', python: handler, protocol: 'massgen', root }
    }
    problems.addWrongValue([...path, 'handler'], 'a function by its module: `package.module.function`')
    return undefined
  }
  if (typeof handler !== 'string' || handler.trim() === '' || handler.includes('\0')) {
    problems.addWrongValue([...path, 'handler'], 'a script or a command')
    return undefined
  }
  const command = handler.trim()
  // With arguments, even none, one word is a program and not a shell's line: a missing one is told from a failed one.
  const run = {
    type: 'command',
    command,
    ...(/\s/.test(command) ? {} : { args: [] }),
    protocol: 'massgen',
    root,
  }
  if (!asksHoldpoint({ run })) return run
  problems.add('CONFIG_VALUE', [...path, 'handler'], 'This would ask Holdpoint again for every answer.')
  return undefined
}

const CALLABLE = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/

/** Written in seconds. */
function readTimeout(
  timeout: Json | undefined,
  path: Path,
  { problems }: Reading,
): Pick<HookEntry, 'timeoutMs'> | undefined {
  if (timeout === undefined || timeout === null) return {}
  if (typeof timeout === 'number' && timeout > 0) {
    return { timeoutMs: Math.min(Math.ceil(timeout * 1_000), TIMEOUT_MAX_MS) }
  }
  problems.addWrongValue(path, 'a number of seconds')
  return undefined
}

/** The time for the whole event cuts it further. */
const TIMEOUT_MAX_MS = 600_000
