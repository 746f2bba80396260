import { HoldpointError } from '../errors.ts'
import { EVENT_KINDS, type EventKind } from '../event.ts'
import { PRESET_NAMES, readOnFailure, type WrittenOnFailure } from '../failure-presets.ts'
import { FAILURE_KINDS, type OnFailure, type Pattern, type Run } from '../hook.ts'
import { frozenCopy, isObject, type JsonObject } from '../json.ts'
import { parsePattern } from '../pattern.ts'
import type { RegisterOptions } from './registration.ts'

/**
 * Checks what a program registers. A program may be JavaScript: nothing here trusts a type. Whatever is not understood
 * is an error at once, because a hook that is registered wrongly is a guard that is not there.
 */

export function readKinds(on: unknown): readonly EventKind[] {
  if (on === undefined) return EVENT_KINDS
  const listed: readonly unknown[] = Array.isArray(on) ? on : [on]
  const kinds = listed.map((word) => EVENT_KINDS.find((kind) => kind === word) ?? unknownKind(word))
  if (kinds.length === 0) throw invalid('on', 'names no event, so it would never run')
  return [...new Set(kinds)]
}

function unknownKind(word: unknown): never {
  throw invalid('on', `is ${shown(word)}; events: ${EVENT_KINDS.join(', ')}`)
}

/** Undefined: everything. */
export function readNames(key: string, text: unknown): Pattern | undefined {
  if (text === undefined) return undefined
  if (typeof text !== 'string') throw invalid(key, `is ${shown(text)}; names or globs joined by \`|\` are`)
  const parsed = parsePattern(text, 'glob')
  if (!parsed.ok) throw invalid(key, `cannot be read: ${parsed.problem.message}`)
  return parsed.value
}

/** The agent a hook is for. Nobody's name is no name: it would be everybody's. */
export function readAgent(text: unknown): Pattern | undefined {
  if (typeof text === 'string' && text.trim() === '') throw invalid('agent', 'is empty; `*` is every agent')
  return readNames('agent', text)
}

/** A hook may hold what its function needs, but not what belongs elsewhere: there it would mean nothing. */
export function checkWords(definition: JsonObject): void {
  const held = Object.keys(definition)
  const option = held.find((key) => OPTIONS.has(key))
  if (option !== undefined) throw invalid(option, 'is an option: it stands beside the hook, not in it')
  const slip = held.find((key) => Object.hasOwn(SLIPS, key))
  if (slip !== undefined) throw invalid(slip, `means nothing here; the word is \`${SLIPS[slip]}\``)
  const ways = ['run', 'command', 'handler'].filter((key) => definition[key] !== undefined)
  if (ways.length > 1) throw invalid(ways.join(' and '), 'cannot both be what the hook runs')
}

/** The words of other configurations for the same. */
const SLIPS: Readonly<Record<string, string>> = {
  matcher: 'match',
  matches: 'match',
  event: 'on',
  events: 'on',
  hook_type: 'on',
}

export function readHandler(definition: JsonObject, cwd: string): Run {
  const { command, args, protocol, handler } = definition
  if (handler !== undefined) {
    const run = frozenCopy(handler)
    if (isObject(run) && typeof run.type === 'string') return run as Run
    throw invalid('handler', 'must be a handler and its parameters as JSON: { type, ... }')
  }
  if (typeof command !== 'string' || command.trim() === '') {
    throw invalid('run', 'must be a function, or `command` a program; this hook has neither')
  }
  if (args !== undefined && !(Array.isArray(args) && args.every((each) => typeof each === 'string'))) {
    throw invalid('args', 'must be a list of strings')
  }
  if (protocol !== undefined && !['claude', 'mux', 'massgen'].includes(String(protocol))) {
    throw invalid('protocol', `is ${shown(protocol)}; claude, mux and massgen are spoken`)
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

export function readOptions(given: unknown): RegisterOptions {
  if (!isObject(given)) throw invalid('options', 'must be an object')
  const unknown = Object.keys(given).find((key) => !OPTIONS.has(key))
  if (unknown !== undefined) throw invalid(unknown, `means nothing; options: ${[...OPTIONS].join(', ')}`)
  for (const flag of FLAGS) {
    const value = given[flag]
    if (value !== undefined && typeof value !== 'boolean') throw invalid(flag, 'must be true or false')
  }
  const { id, timeoutMs, onFailure } = given
  if (id !== undefined && (typeof id !== 'string' || id === '')) throw invalid('id', 'must be a text')
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0)) {
    throw invalid('timeoutMs', 'must be a number of milliseconds above 0')
  }
  if (onFailure !== undefined) checkOnFailure(onFailure)
  return given as RegisterOptions
}

/** An unknown word here would be an effect nobody knows, at the very moment something else went wrong. */
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

/** As in files: more tries answer nothing, and only take the others' time. */
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
