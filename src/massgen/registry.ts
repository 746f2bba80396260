import type { HookEntry, Layer } from '../config.ts'
import { HoldpointError } from '../errors.ts'
import { FAILURE_PRESETS, readOnFailure } from '../failure-presets.ts'
import type { ActorScope, Match, Pattern } from '../hook.ts'
import { isObject } from '../json.ts'
import { parsePattern } from '../pattern.ts'
import { FunctionHook, type HookCallable, type HookOptions, TIMEOUT_SECONDS } from './function-hook.ts'
import { type HookType, toolEventOf } from './hook-type.ts'
import { invalidHook, kindOf } from './invalid-hook.ts'

/** One hook as it was registered. */
export interface Registered {
  readonly id: string
  /** When it was registered: what has a smaller number came before. */
  readonly since: number
  /** Undefined: for all agents. */
  readonly agent: string | undefined
  readonly hook: FunctionHook | HookCallable
  readonly entry: HookEntry
}

export interface Given {
  readonly id: string
  readonly since: number
  readonly type: HookType
  readonly agent?: string
  readonly failClosed: boolean
  readonly options: HookOptions
}

/** Checks what is registered, at once: a hook that could never run must not be found out by the first call. */
export function registered(
  hook: unknown,
  { id, since, type, agent, failClosed, options }: Given,
): Registered {
  const event = toolEventOf(type)
  if (event === undefined) throw invalidHook('hook_type', `${String(type)} is no hook type.`)
  if (agent === '') throw invalidHook('agent_id', 'The agent has no name.')
  if (hook instanceof FunctionHook && typeof hook.execute !== 'function') {
    throw invalidHook('execute', `${hook.name} has no method \`execute\`.`)
  }
  if (typeof hook === 'function' && hook.prototype instanceof FunctionHook) {
    throw invalidHook('hook', `${hook.name} is a class; register an object of it: \`new ${hook.name}()\`.`)
  }
  if (!(hook instanceof FunctionHook) && typeof hook !== 'function') {
    throw invalidHook('hook', `A hook must be a function or a FunctionHook; this is ${kindOf(hook)}.`)
  }
  const own: HookOptions = hook instanceof FunctionHook ? given(hook) : {}
  const { matcher, timeout = TIMEOUT_SECONDS, fail_closed: closed = failClosed } = { ...own, ...options }
  if (typeof timeout !== 'number' || !(timeout > 0)) {
    throw invalidHook('timeout', `The timeout is ${String(timeout)}; it must be seconds.`)
  }
  if (typeof closed !== 'boolean') throw invalidHook('fail_closed', 'This must be true or false.')
  const entry: HookEntry = {
    id,
    on: [event],
    match: matchOf(matcher),
    actor: agent === undefined ? {} : { agentType: named(agent) },
    run: { type: 'callable', name: id },
    timeoutMs: Math.ceil(timeout * 1_000),
    onFailure: closed ? readOnFailure('deny') : FAILURE_PRESETS.massgen,
    rewrites: true,
    shortCircuit: true,
    origin: { file: 'the program', key: id },
  }
  return { id, since, agent, hook: hook as FunctionHook | HookCallable, entry }
}

const OPTIONS: readonly string[] = ['name', 'matcher', 'timeout', 'fail_closed']

/** An option nobody knows would be a guard that does not do what its author thinks. */
export function checkOptions(options: unknown): void {
  if (!isObject(options))
    throw invalidHook('options', `The options must be an object, not ${kindOf(options)}.`)
  const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key))
  if (unknown !== undefined) {
    throw invalidHook(unknown, `\`${unknown}\` means nothing here; options: ${OPTIONS.join(', ')}.`)
  }
  const { name } = options
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw invalidHook('name', 'The name must be a text.')
  }
}

function given({ matcher, timeout, fail_closed: closed }: FunctionHook): HookOptions {
  return { matcher, timeout, ...(closed === undefined ? {} : { fail_closed: closed }) }
}

function named(agent: string): Pattern {
  return { is: 'names', names: [agent] }
}

function matchOf(matcher: unknown): Match {
  if (matcher !== undefined && typeof matcher !== 'string')
    throw invalidHook('matcher', 'The matcher is no text.')
  const pattern = parsePattern(matcher, 'glob')
  if (!pattern.ok) throw new HoldpointError({ ...pattern.problem, code: 'HOOK_INVALID', key: 'matcher' })
  return pattern.value === undefined ? {} : { subject: pattern.value }
}

/** The agent's own hooks stand in the place of those for all. */
export function overrideOf(agent: string, type: HookType): Override {
  const on = toolEventOf(type)
  if (on === undefined) throw invalidHook('hook_type', `${String(type)} is no hook type.`)
  if (agent === '') throw invalidHook('agent_id', 'The agent has no name.')
  return { on, agent: named(agent) }
}

export function isFor(scope: ActorScope, agentId: string | null): boolean {
  const names = (pattern: Pattern) => pattern.is === 'names' && pattern.names.includes(agentId ?? '')
  if (scope.agentType !== undefined && !names(scope.agentType)) return false
  return !(scope.exceptAgents ?? []).some(names)
}

export interface Override {
  readonly on: HookEntry['on'][number]
  readonly agent: Pattern
}

/** Everything in MassGen's order: hooks for all agents first, those of one agent after them. */
export function layerOf(entries: readonly HookEntry[], overrides: readonly Override[]): Layer {
  const isGlobal = ({ actor }: HookEntry) => actor.agentType === undefined
  return {
    rank: 'call',
    file: 'the program',
    trusted: true,
    packs: [],
    hooks: [
      ...entries.filter(isGlobal).map((entry) => without(entry, overrides)),
      ...entries.filter((entry) => !isGlobal(entry)),
    ],
    settings: {},
    problems: [],
  }
}

/** For an agent that overrides, only required hooks of all agents are left. */
function without(entry: HookEntry, overrides: readonly Override[]): HookEntry {
  if (entry.required === true) return entry
  const agents = overrides.filter(({ on }) => entry.on.includes(on)).map(({ agent }) => agent)
  return agents.length === 0 ? entry : { ...entry, actor: { ...entry.actor, exceptAgents: agents } }
}
