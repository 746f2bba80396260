import { HoldpointError } from '../../core/errors.ts'
import { FAILURE_PRESETS, readOnFailure } from '../../core/failure-presets.ts'
import { type AnyHookType, hookEventOf } from '../../core/formats/massgen-hook-type.ts'
import type { ActorScope, Matcher, Override, Pattern } from '../../core/hook.ts'
import { isObject } from '../../core/json.ts'
import type { HookEntry, Layer } from '../../core/layer.ts'
import { parsePattern } from '../../core/match/pattern.ts'
import {
  FunctionHook,
  type FunctionHookOptions,
  type HookCallable,
  TIMEOUT_SECONDS,
} from './function-hook.ts'
import { invalidHook, valueKind } from './invalid-hook.ts'

/** One hook as it was registered. */
export interface ManagerHook {
  readonly id: string
  /** The order of registration: smaller numbers came first. */
  readonly since: number
  /** Undefined: for all agents. */
  readonly agent: string | undefined
  readonly hook: FunctionHook | HookCallable
  readonly entry: HookEntry
}

export interface GivenHook {
  readonly id: string
  readonly since: number
  readonly type: AnyHookType
  readonly agent?: string
  readonly failClosed: boolean
  readonly options: FunctionHookOptions
}

/** Checks a hook when it is registered: a hook that can never run must not be found at the first call. */
export function registered(
  hook: unknown,
  { id, since, type, agent, failClosed, options }: GivenHook,
): ManagerHook {
  const event = hookEventOf(type)
  if (event === undefined) throw invalidHook('hook_type', `${String(type)} is not a hook type.`)
  if (agent === '') throw invalidHook('agent_id', 'The name of the agent is empty.')
  if (hook instanceof FunctionHook && typeof hook.execute !== 'function') {
    throw invalidHook('execute', `${hook.name} has no method \`execute\`.`)
  }
  if (typeof hook === 'function' && hook.prototype instanceof FunctionHook) {
    throw invalidHook('hook', `${hook.name} is a class; register an object of it: \`new ${hook.name}()\`.`)
  }
  if (!(hook instanceof FunctionHook) && typeof hook !== 'function') {
    throw invalidHook('hook', `A hook must be a function or a FunctionHook; this is ${valueKind(hook)}.`)
  }
  const own: FunctionHookOptions = hook instanceof FunctionHook ? given(hook) : {}
  const { matcher, timeout = TIMEOUT_SECONDS, fail_closed: closed = failClosed } = { ...own, ...options }
  if (typeof timeout !== 'number' || !(timeout > 0)) {
    throw invalidHook('timeout', `The timeout is ${String(timeout)}; it must be a number of seconds.`)
  }
  if (typeof closed !== 'boolean') throw invalidHook('fail_closed', 'This must be true or false.')
  const entry: HookEntry = {
    id,
    on: [event],
    match: matchOf(matcher),
    actor: agent === undefined ? {} : { agentType: named(agent) },
    run: { type: 'callable', name: id, protocol: 'massgen' },
    timeoutMs: Math.ceil(timeout * 1_000),
    onFailure: closed ? readOnFailure('deny') : FAILURE_PRESETS.massgen,
    rewrites: true,
    shortCircuit: true,
    origin: { file: 'the program', key: id },
  }
  return { id, since, agent, hook: hook as FunctionHook | HookCallable, entry }
}

const OPTIONS: readonly string[] = ['name', 'matcher', 'timeout', 'fail_closed']

/** An unknown option would mean a guard that does not do what its author thinks. */
export function checkManagerOptions(options: unknown): void {
  if (!isObject(options))
    throw invalidHook('options', `The options must be an object, not ${valueKind(options)}.`)
  const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key))
  if (unknown !== undefined) {
    throw invalidHook(unknown, `\`${unknown}\` is not an option; options: ${OPTIONS.join(', ')}.`)
  }
  const { name } = options
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw invalidHook('name', 'The name must be a string.')
  }
}

function given({ matcher, timeout, fail_closed: closed }: FunctionHook): FunctionHookOptions {
  return { matcher, timeout, ...(closed === undefined ? {} : { fail_closed: closed }) }
}

function named(agent: string): Pattern {
  return { kind: 'names', names: [agent] }
}

function matchOf(matcher: unknown): Matcher {
  if (matcher !== undefined && typeof matcher !== 'string')
    throw invalidHook('matcher', 'The matcher is not a string.')
  const pattern = parsePattern(matcher, 'glob')
  if (!pattern.ok) throw new HoldpointError({ ...pattern.problem, code: 'HOOK_INVALID', key: 'matcher' })
  return pattern.value === undefined ? {} : { subject: pattern.value }
}

/** The agent's own hooks replace those for all agents. */
export function overrideOf(agent: string, type: AnyHookType): Override {
  const on = hookEventOf(type)
  if (on === undefined) throw invalidHook('hook_type', `${String(type)} is not a hook type.`)
  if (agent === '') throw invalidHook('agent_id', 'The name of the agent is empty.')
  return { on, agent: named(agent) }
}

export function isFor(scope: ActorScope, agentId: string | null): boolean {
  const names = (pattern: Pattern) => pattern.kind === 'names' && pattern.names.includes(agentId ?? '')
  if (scope.agentType !== undefined && !names(scope.agentType)) return false
  return !(scope.exceptAgents ?? []).some(names)
}

/** Everything in MassGen's order: hooks for all agents first, then those of one agent. */
export function layerOf(entries: readonly HookEntry[], overrides: readonly Override[]): Layer {
  const isGlobal = ({ actor }: HookEntry) => actor.agentType === undefined
  return {
    rank: 'call',
    file: 'the program',
    trusted: true,
    packs: [],
    hooks: [...entries.filter(isGlobal), ...entries.filter((entry) => !isGlobal(entry))],
    overrides,
    settings: {},
    problems: [],
  }
}
