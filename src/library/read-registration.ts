import { HoldpointError } from '../core/errors.ts'
import { EVENT_KINDS, type EventKind } from '../core/event.ts'
import { PRESET_NAMES, readOnFailure, type WrittenOnFailure } from '../core/failure-presets.ts'
import { FAILURE_KINDS, type HandlerSpec, type OnFailure, type Pattern } from '../core/hook.ts'
import { frozenCopy, isObject, type JsonObject } from '../core/json.ts'
import { parsePattern } from '../core/match/pattern.ts'
import type { RegisterOptions } from './registration.ts'

/**
 * Checks what a program registers. The program may be JavaScript, so no type is trusted. Anything unknown is
 * an error at once, because a hook that is registered wrongly is a missing guard.
 */

export function readKinds(on: unknown): readonly EventKind[] {
  if (on === undefined) return EVENT_KINDS
  const listed: readonly unknown[] = Array.isArray(on) ? on : [on]
  const kinds = listed.map((word) => EVENT_KINDS.find((kind) => kind === word) ?? unknownKind(word))
  if (kinds.length === 0) throw invalid('on', 'names no event, so the hook would never run')
  return [...new Set(kinds)]
}

function unknownKind(word: unknown): never {
  throw invalid('on', `is ${shown(word)}; events: ${EVENT_KINDS.join(', ')}`)
}

/** Undefined: everything. */
export function readNames(key: string, text: unknown): Pattern | undefined {
  if (text === undefined) return undefined
  if (typeof text !== 'string')
    throw invalid(key, `is ${shown(text)}; accepted: names or globs joined by \`|\``)
  const parsed = parsePattern(text, 'glob')
  if (!parsed.ok) throw invalid(key, `cannot be read: ${parsed.problem.message}`)
  return parsed.value
}

/** The agent that a hook is for. An empty name is refused, because it would mean every agent. */
export function readAgent(text: unknown): Pattern | undefined {
  if (typeof text === 'string' && text.trim() === '')
    throw invalid('agent', 'is empty; use `*` for every agent')
  return readNames('agent', text)
}

/**
 * A hook may have properties that its function needs, but not those that belong to the options: they would
 * have no effect.
 */
export function checkNames(definition: JsonObject): void {
  const held = Object.keys(definition)
  const option = held.find((key) => OPTIONS.has(key))
  if (option !== undefined) throw invalid(option, 'is an option: pass it in the options, not in the hook')
  const slip = held.find((key) => Object.hasOwn(SLIPS, key))
  if (slip !== undefined) throw invalid(slip, `has no effect here; use \`${SLIPS[slip]}\``)
  const ways = ['run', 'command', 'handler'].filter((key) => definition[key] !== undefined)
  if (ways.length > 1) throw invalid(ways.join(' and '), 'cannot be used together in one hook')
}

/** The names of other configurations for the same property. */
const SLIPS: Readonly<Record<string, string>> = {
  matcher: 'match',
  matches: 'match',
  event: 'on',
  events: 'on',
  hook_type: 'on',
}

export function readHandler(definition: JsonObject, cwd: string): HandlerSpec {
  const { command, args, protocol, handler } = definition
  if (handler !== undefined) {
    const run = frozenCopy(handler)
    if (isObject(run) && typeof run.type === 'string') return run as HandlerSpec
    throw invalid('handler', 'must be a handler with its parameters as JSON: { type, ... }')
  }
  if (typeof command !== 'string' || command.trim() === '') {
    throw invalid('run', 'must be a function, or `command` must be a program; this hook has neither')
  }
  if (args !== undefined && !(Array.isArray(args) && args.every((each) => typeof each === 'string'))) {
    throw invalid('args', 'must be a list of strings')
  }
  if (protocol !== undefined && !['claude', 'mux', 'massgen'].includes(String(protocol))) {
    throw invalid('protocol', `is ${shown(protocol)}; accepted: claude, mux, massgen`)
  }
  return {
    type: 'command',
    command,
    root: cwd,
    ...(args === undefined ? {} : { args: [...args] }),
    ...(protocol === undefined ? {} : { protocol }),
  }
}

const FLAGS = ['override', 'rewrites', 'shortCircuit', 'grants', 'required'] as const
const OPTIONS: ReadonlySet<string> = new Set(['id', 'agent', 'timeoutMs', 'onFailure', ...FLAGS])

export function readRegistrationOptions(given: unknown): RegisterOptions {
  if (!isObject(given)) throw invalid('options', 'must be an object')
  const unknown = Object.keys(given).find((key) => !OPTIONS.has(key))
  if (unknown !== undefined) throw invalid(unknown, `is not an option; options: ${[...OPTIONS].join(', ')}`)
  for (const flag of FLAGS) {
    const value = given[flag]
    if (value !== undefined && typeof value !== 'boolean') throw invalid(flag, 'must be true or false')
  }
  const { id, timeoutMs, onFailure } = given
  if (id !== undefined && (typeof id !== 'string' || id === '')) throw invalid('id', 'must be a string')
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0)) {
    throw invalid('timeoutMs', 'must be a number of milliseconds above 0')
  }
  if (onFailure !== undefined) checkOnFailure(onFailure)
  return given as RegisterOptions
}

/** An unknown word here would be an unknown effect at the moment a hook fails. */
function checkOnFailure(written: unknown): void {
  if (isPolicy(written) || PRESET_NAMES.some((name) => name === written)) return
  const kinds = isObject(written) ? Object.entries(written) : []
  const isWrong = ([kind, policy]: readonly [string, unknown]) =>
    kind === 'preset'
      ? !PRESET_NAMES.some((name) => name === policy)
      : !FAILURE_KINDS.some((known) => known === kind) || !isPolicy(policy)
  if (!isObject(written) || kinds.some(isWrong)) {
    const kindNames = FAILURE_KINDS.join(', ')
    throw invalid(
      'onFailure',
      `must be deny, ask, pass, { retry: 1 to ${RETRIES_MAX}, then: pass }, ${PRESET_NAMES.join(', ')}, or one for each of ${kindNames}`,
    )
  }
}

function isPolicy(value: unknown): boolean {
  if (!isObject(value)) return isWord(value)
  const { retry, then, ...rest } = value
  const isCount = Number.isInteger(retry) && Number(retry) >= 0 && Number(retry) <= RETRIES_MAX
  return isCount && isWord(then) && Object.keys(rest).length === 0
}

/** The same limit as in files: more retries only take time from other hooks. */
const RETRIES_MAX = 5

function isWord(value: unknown): boolean {
  return value === 'deny' || value === 'ask' || value === 'pass'
}

export function failurePolicies(written: WrittenOnFailure | undefined): Partial<OnFailure> {
  return written === undefined ? {} : readOnFailure(written)
}

export function invalid(key: string, what: string): HoldpointError {
  return new HoldpointError({ code: 'HOOK_INVALID', key, message: `\`${key}\` ${what}.` })
}

function shown(value: unknown): string {
  return JSON.stringify(frozenCopy(value) ?? typeof value).slice(0, 60)
}
