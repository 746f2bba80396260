import { createEngine } from '../../app/create-engine.ts'
import { decideEvent, type TracedRun } from '../../app/decide-event.ts'
import { lastResortOf } from '../../core/deadlines.ts'
import type { Decision } from '../../core/decision.ts'
import { thrownText } from '../../core/engine/hook-execution.ts'
import type { Engine } from '../../core/engine/run-hooks.ts'
import { describeProblem, good, type Problem, type Result } from '../../core/errors.ts'
import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import { aggregateResult } from '../../core/formats/massgen-aggregate.ts'
import { type MassGenEvent, readHookEvent } from '../../core/formats/massgen-event.ts'
import { type AnyHookType, hookEventOf, toolEventOf } from '../../core/formats/massgen-hook-type.ts'
import { ALLOWED, type MassGenResult } from '../../core/formats/massgen-result.ts'
import type { Callable } from '../../core/handler.ts'
import type { Override } from '../../core/hook.ts'
import type { JsonObject } from '../../core/json.ts'
import type { HookEntry } from '../../core/layer.ts'
import { DEFAULT_SETTINGS } from '../../core/plan/plan.ts'
import type { StateStore } from '../../core/state/state.ts'
import { buildPlan } from '../../handlers/plan.ts'
import { decodeExtendedEvent } from '../../hosts/massgen-payload.ts'
import { factsMaker } from '../../library/event-facts.ts'
import { eventKindOf, readEvent as readLibraryEvent } from '../../library/hook-event.ts'
import { hookResult, type HookResult as LibraryResult, refusedEvent } from '../../library/hook-result.ts'
import { createMemoryState } from '../../storage/state/memory-state.ts'
import { ownEnvironment } from '../../system/environment.ts'
import { systemHome } from '../../system/home.ts'
import { handlerName } from './config.ts'
import { executionsOf } from './executions.ts'
import type { GivenEvent, ManagerOptions } from './general-hook-manager.ts'
import { isFor, layerOf, type ManagerHook } from './registry.ts'
import { callableOf } from './run-callable.ts'

/** Events of a program that names no session. */
const LIBRARY_SESSION = 'massgen'

/** The engine with the hooks of one manager. */
export interface ManagerEngine {
  /**
   * From the next event on, these are the entries, in this order; `hooks` are the functions that some of them
   * name.
   */
  use(hooks: readonly ManagerHook[], entries: readonly HookEntry[], overrides: readonly Override[]): void
  execute(type: AnyHookType, event: object): Promise<MassGenResult>
  /** The same hooks for an event of the library. Never rejects. */
  evaluate(event: unknown): Promise<LibraryResult>
  idsFor(agentId: string | null, type: AnyHookType): Promise<readonly string[]>
}

export function createManagerEngine(options: ManagerOptions): ManagerEngine {
  const cwd = options.cwd ?? process.cwd()
  const env = options.env ?? ownEnvironment()
  const facts = factsMaker({ cwd, home: env.HOME || systemHome(), project: cwd, env: { ...env } })
  const state = options.state ?? createMemoryState()
  let make = () => engineOf([], [], [], options)
  let engine: Promise<Engine> | undefined
  const ready = () => {
    engine ??= make()
    return engine
  }
  return {
    use: (hooks, entries, overrides) => {
      make = () => engineOf(hooks, entries, overrides, options)
      engine = undefined
    },
    execute: async (type, given) => {
      try {
        const read = readEvent(type, given, cwd)
        if (!read.ok) return refused(type, read.problem)
        const using = await ready()
        const runs: TracedRun[] = []
        const decision = await decided(using, read.value, { state, facts: facts(cwd), runs })
        return aggregateResult(decision, executionsOf(using, decision, runs))
      } catch (error) {
        const message = `The hooks could not be run: ${thrownText(error)}.`
        return refused(type, { code: 'INTERNAL', message })
      }
    },
    evaluate: async (given) => {
      try {
        const read = readLibraryEvent(given, { session: LIBRARY_SESSION, cwd })
        if (!read.ok) return refusedEvent(lastResortOf(eventKindOf(given)), read.problem)
        const event = read.value
        const decision = await decided(await ready(), event, { state, facts: facts(event.cwd), runs: [] })
        return hookResult(decision, event, [])
      } catch (error) {
        const message = `The hooks could not be run: ${thrownText(error)}.`
        return refusedEvent('deny', { code: 'INTERNAL', message })
      }
    },
    idsFor: async (agentId, type) => {
      const { hooks } = await ready()
      return hooks
        .filter((hook) => hook.on === hookEventOf(type) && isFor(hook.actor, agentId))
        .map(({ id }) => id)
    },
  }
}

async function engineOf(
  hooks: readonly ManagerHook[],
  entries: readonly HookEntry[],
  overrides: readonly Override[],
  { handlers = {} }: ManagerOptions,
): Promise<Engine> {
  const callables = new Map<string, Callable>([
    ...hooks.map(({ id, hook }) => [id, callableOf(hook)] as const),
    ...Object.entries(handlers).map(([name, handler]) => [handlerName(name), callableOf(handler)] as const),
  ])
  const plan = buildPlan([layerOf(entries, overrides)], new Map())
  return createEngine(plan, { callable: (name) => callables.get(name) })
}

/** `runs` gets every run of a hook. */
async function decided(
  engine: Engine,
  event: Event,
  { state, facts, runs }: { readonly state: StateStore; readonly facts: Facts; readonly runs: TracedRun[] },
): Promise<Decision> {
  const { decision } = await decideEvent(event, {
    engine,
    state,
    facts,
    maskers: [],
    stopBlocksMax: DEFAULT_SETTINGS.stopBlocksMax,
    // Every hook has its own timeout, and they run one after another.
    budgetMs: Number.POSITIVE_INFINITY,
    now: () => performance.now(),
    keeps: 'state',
    trace: (hookIndex, outcome, durationMs) => runs.push({ hookIndex, outcome, durationMs }),
  })
  return decision
}

/** Nothing could be evaluated: before a call that is a deny, after it only an error. */
export function refused(type: unknown, problem: Problem): MassGenResult {
  const text = describeProblem(problem)
  const kind = hookEventOf(type)
  if (kind !== undefined && lastResortOf(kind) !== 'deny') return { ...ALLOWED, hook_errors: [text] }
  return { ...ALLOWED, allowed: false, decision: 'deny', reason: text, hook_errors: [text] }
}

function readEvent(type: AnyHookType, given: object, cwd: string): Result<Event> {
  const kind = hookEventOf(type)
  if (kind !== undefined && kind !== 'PreToolUse' && kind !== 'PostToolUse') {
    return decodeExtendedEvent({ session_id: '', ...given }, kind, { host: 'library', cwd })
  }
  const read = readHookEvent({ ...given, hook_type: type }, new Date().toISOString())
  return read.ok ? good(toEvent(read.value, given as GivenEvent, cwd)) : read
}

/** Other fields of the caller stay in `raw`, where older hooks find them. */
function toEvent(read: MassGenEvent, given: GivenEvent, cwd: string): Event {
  const { hook_type: type, session_id: session, agent_id: agent, tool_name: name, tool_input: input } = read
  const base = {
    host: 'library',
    session,
    cwd,
    raw: { ...asWritten(given), ...given, ...read } as unknown as JsonObject,
    ...(agent === null ? {} : { agentId: agent, agentType: agent }),
    tool: { name, input },
  }
  return toolEventOf(type) === 'PostToolUse'
    ? { ...base, name: 'PostToolUse', kind: 'PostToolUse', output: read.tool_output }
    : { ...base, name: 'PreToolUse', kind: 'PreToolUse' }
}

/** The arguments as the model wrote them, if they came as text. */
function asWritten({ tool_input: input }: GivenEvent): { readonly arguments?: string } {
  return typeof input === 'string' ? { arguments: input } : {}
}
