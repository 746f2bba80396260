import { lazyRunner } from '../app/create-engine.ts'
import type { Failure } from '../core/decision.ts'
import { HoldpointError } from '../core/errors.ts'
import type { EventKind } from '../core/event.ts'
import type { HandlerTools, Runner } from '../core/handler.ts'
import type { HandlerSpec, Hook, Override, Pattern } from '../core/hook.ts'
import { isObject } from '../core/json.ts'
import { compileEntry } from '../handlers/plan.ts'
import { functionRunner } from './function-runner.ts'
import {
  checkNames,
  failurePolicies,
  invalid,
  readAgent,
  readHandler,
  readKinds,
  readNames,
  readRegistrationOptions,
} from './read-registration.ts'
import type { OverrideOptions, RegisteredHook } from './registration.ts'

/** One prepared registration: its description, its hooks, their runners, and what it overrides. */
export interface RegistryEntry {
  readonly about: RegisteredHook
  readonly hooks: readonly Hook[]
  readonly runner: Runner | Failure
  readonly overrides: readonly Override[]
}

/** Where the hooks of a runtime run. */
export interface RegistryOptions {
  readonly cwd: string
  readonly tools: Partial<Omit<HandlerTools, 'guard'>>
}

/** Throws an error with a code if the hook or its options are wrong. */
export function readRegistration(
  definition: unknown,
  given: unknown,
  fallbackId: string,
  around: RegistryOptions,
): RegistryEntry {
  if (!isObject(definition)) throw invalid('hook', 'must be an object: { on, match, run }')
  checkNames(definition)
  const options = readRegistrationOptions(given)
  const { id = fallbackId, agent, override = false, timeoutMs = TIMEOUT_MS } = options
  const on = readKinds(definition.on)
  const subject = readNames('match', definition.match)
  const agents = agent === undefined ? undefined : (readAgent(agent) ?? EVERYBODY)
  if (override && agent === undefined)
    throw invalid('override', 'needs `agent`: the agent that the hooks are for')
  const run =
    definition.run === undefined ? readHandler(definition, around.cwd) : functionRun(definition.run, id)
  const { rewrites = false, shortCircuit = false, grants = false, required = false } = options
  const entry = {
    id,
    on,
    match: subject === undefined ? {} : { subject },
    actor: agents === undefined ? {} : { agentType: agents },
    run,
    timeoutMs,
    onFailure: failurePolicies(options.onFailure),
    rewrites,
    shortCircuit,
    grants,
    required,
    origin: { file: 'the program', key: id },
  }
  const hooks = compileEntry(entry, { rank: 'call', trusted: true })
  return {
    about: aboutOf({ id, type: run.type, on, agent, override, rewrites, required, match: definition.match }),
    hooks,
    runner: runnerOf(definition, hooks, around),
    overrides: override && agents !== undefined ? overridesAt(on, agents) : [],
  }
}

/** Functions of the program may ask the user; programs get the same time. */
const TIMEOUT_MS = 10_000
const EVERYBODY: Pattern = { kind: 'glob', globs: ['*'] }

function functionRun(run: unknown, id: string): HandlerSpec {
  if (typeof run !== 'function') throw invalid('run', `must be a function; it is a ${typeof run}`)
  return { type: 'callable', name: id }
}

function runnerOf(
  definition: { readonly [key: string]: unknown },
  [hook]: readonly Hook[],
  { tools }: RegistryOptions,
): Runner | Failure {
  const { run } = definition
  // A copy of the current function: replacing it later has no effect.
  if (typeof run === 'function')
    return functionRunner((event, context) => run.call(definition, event, context))
  return hook === undefined ? { failure: 'import', message: 'it has no event' } : lazyRunner(hook, tools)
}

/** Removes the hooks for all agents from these agents at these events, and adds none. */
export function readOverride(given: OverrideOptions, id: string): RegistryEntry {
  if (!isObject(given)) throw invalid('override', 'must be an object: { agent, on }')
  const { agent, on } = given
  if (agent === undefined) throw invalid('agent', 'must be the name of an agent, or a glob')
  if (on === undefined) throw invalid('on', 'must be a list of events')
  const kinds = readKinds(on)
  return {
    about: aboutOf({
      id,
      type: 'override',
      on: kinds,
      agent,
      override: true,
      rewrites: false,
      required: false,
    }),
    hooks: [],
    runner: { failure: 'import', message: 'it runs nothing' },
    overrides: overridesAt(kinds, readAgent(agent) ?? EVERYBODY),
  }
}

function overridesAt(kinds: readonly EventKind[], agent: Pattern): readonly Override[] {
  return kinds.map((on) => ({ on, agent }))
}

function aboutOf({
  match,
  agent,
  ...about
}: Omit<RegisteredHook, 'match' | 'agent'> & {
  match?: unknown
  agent?: string | undefined
}): RegisteredHook {
  return Object.freeze({
    ...about,
    on: Object.freeze([...about.on]),
    ...(typeof match === 'string' ? { match } : {}),
    ...(agent === undefined ? {} : { agent }),
  })
}

export function duplicate(id: string): HoldpointError {
  return new HoldpointError({
    code: 'HOOK_DUPLICATE',
    key: 'id',
    message: `A hook "${id}" is already registered.`,
  })
}
