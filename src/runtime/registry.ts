import type { Failure } from '../decision.ts'
import { lazyRunner } from '../engine.ts'
import { HoldpointError } from '../errors.ts'
import type { HandlerTools, Runner } from '../handlers/handler.ts'
import type { Hook, Pattern, Run } from '../hook.ts'
import { isObject } from '../json.ts'
import { compileEntry } from '../plan.ts'
import { functionRunner } from './function-runner.ts'
import {
  checkWords,
  failurePolicies,
  invalid,
  readAgent,
  readHandler,
  readKinds,
  readNames,
  readOptions,
} from './read-registration.ts'
import type { OverrideOptions, RegisteredHook } from './registration.ts'

/** One registration made ready: what it is, the hooks it became, what runs them, and whom it takes hooks from. */
export interface Registered {
  readonly about: RegisteredHook
  readonly hooks: readonly Hook[]
  readonly runner: Runner | Failure
  /** The agents that get no hooks for all agents at its events. */
  readonly replacesFor: Pattern | undefined
}

/** Where hooks of a runtime run. */
export interface Surroundings {
  readonly cwd: string
  readonly tools: Partial<Omit<HandlerTools, 'guard'>>
}

/** Throws a coded error where the hook or its options are not what they must be. */
export function readRegistration(
  definition: unknown,
  given: unknown,
  fallbackId: string,
  around: Surroundings,
): Registered {
  if (!isObject(definition)) throw invalid('hook', 'must be an object: { on, match, run }')
  checkWords(definition)
  const options = readOptions(given)
  const { id = fallbackId, agent, override = false, timeoutMs = TIMEOUT_MS } = options
  const on = readKinds(definition.on)
  const subject = readNames('match', definition.match)
  const agents = agent === undefined ? undefined : (readAgent(agent) ?? EVERYBODY)
  if (override && agent === undefined) throw invalid('override', 'needs `agent`: whose hooks these are')
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
    replacesFor: override ? agents : undefined,
  }
}

/** Functions of the program may ask others; programs get the same time. */
const TIMEOUT_MS = 10_000
const EVERYBODY: Pattern = { is: 'glob', globs: ['*'] }

function functionRun(run: unknown, id: string): Run {
  if (typeof run !== 'function') throw invalid('run', `must be a function; it is a ${typeof run}`)
  return { type: 'callable', name: id }
}

function runnerOf(
  definition: { readonly [key: string]: unknown },
  [hook]: readonly Hook[],
  { tools }: Surroundings,
): Runner | Failure {
  const { run } = definition
  // Kept as it is now: what is put in its place later was never registered.
  if (typeof run === 'function')
    return functionRunner((event, context) => run.call(definition, event, context))
  return hook === undefined ? { failure: 'import', message: 'it is for no event' } : lazyRunner(hook, tools)
}

/** Takes the hooks for all agents away from these, at these events, and adds none. */
export function readOverride(given: OverrideOptions, id: string): Registered {
  if (!isObject(given)) throw invalid('override', 'must be an object: { agent, on }')
  const { agent, on } = given
  if (agent === undefined) throw invalid('agent', 'must name the agent, or a glob of agents')
  if (on === undefined) throw invalid('on', 'must name the events')
  return {
    about: aboutOf({
      id,
      type: 'override',
      on: readKinds(on),
      agent,
      override: true,
      rewrites: false,
      required: false,
    }),
    hooks: [],
    runner: { failure: 'import', message: 'it runs nothing' },
    replacesFor: readAgent(agent) ?? EVERYBODY,
  }
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
    message: `There is a hook "${id}" already.`,
  })
}
