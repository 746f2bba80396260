import type { HookEntry } from '../config.ts'
import type { Answer, Decision, Failure } from '../decision.ts'
import { createEngine } from '../engine.ts'
import { describeProblem, type Problem } from '../errors.ts'
import { evaluate } from '../evaluate.ts'
import type { Event } from '../event.ts'
import type { Callable } from '../handlers/handler.ts'
import type { JsonObject } from '../json.ts'
import type { Engine } from '../judge.ts'
import { buildPlan } from '../plan.ts'
import { thrownText } from '../run.ts'
import { factsMaker } from '../runtime/event-facts.ts'
import { actorOf } from '../state/actors.ts'
import { ownEnvironment } from '../world/environment.ts'
import { systemHome } from '../world/home.ts'
import { resultOf } from './aggregate.ts'
import { handlerName } from './config.ts'
import { type HookEvent, readHookEvent } from './event-fields.ts'
import { executionsOf, type Ran } from './executions.ts'
import type { GivenEvent, ManagerOptions } from './general-hook-manager.ts'
import { type HookType, toolEventOf } from './hook-type.ts'
import { isFor, layerOf, type Override, type Registered } from './registry.ts'
import { ALLOWED, type HookResult } from './result-fields.ts'
import { callableOf } from './run-callable.ts'

/** The engine with the hooks of one manager. */
export interface Judge {
  /** From the next event on, these are the entries, in this order; `hooks` are the functions some of them name. */
  use(hooks: readonly Registered[], entries: readonly HookEntry[], overrides: readonly Override[]): void
  execute(type: HookType, event: object): Promise<HookResult>
  idsFor(agentId: string | null, type: HookType): Promise<readonly string[]>
}

export function createJudge(options: ManagerOptions): Judge {
  const cwd = options.cwd ?? process.cwd()
  const env = options.env ?? ownEnvironment()
  const facts = factsMaker({ cwd, home: env.HOME || systemHome(), project: cwd, env: { ...env } })
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
        const read = readHookEvent({ ...given, hook_type: type }, new Date().toISOString())
        if (!read.ok) return refused(type, read.problem)
        const event = toEvent(read.value, given as GivenEvent, cwd)
        return await judged(await ready(), event, facts(cwd))
      } catch (error) {
        const message = `The hooks could not be asked: ${thrownText(error)}.`
        return refused(type, { code: 'INTERNAL', message })
      }
    },
    idsFor: async (agentId, type) => {
      const { hooks } = await ready()
      return hooks
        .filter((hook) => hook.on === toolEventOf(type) && isFor(hook.actor, agentId))
        .map(({ id }) => id)
    },
  }
}

async function engineOf(
  hooks: readonly Registered[],
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

async function judged(
  engine: Engine,
  event: Event,
  facts: ReturnType<ReturnType<typeof factsMaker>>,
): Promise<HookResult> {
  const runs: Ran[] = []
  const decision: Decision = await evaluate(engine, event, {
    actor: actorOf(event, undefined),
    facts,
    memory: {},
    // Every hook has its own time, and they are asked one after another.
    budgetMs: Number.POSITIVE_INFINITY,
    now: () => performance.now(),
    trace: (order: number, outcome: Answer | Failure | null, durationMs: number) =>
      runs.push({ order, outcome, durationMs }),
  })
  return resultOf(decision, executionsOf(engine, decision, runs))
}

/** Nothing could be judged: before a call that is a deny, after it only something to tell. */
export function refused(type: unknown, problem: Problem): HookResult {
  const text = describeProblem(problem)
  if (toolEventOf(type) === 'PostToolUse') return { ...ALLOWED, hook_errors: [text] }
  return { ...ALLOWED, allowed: false, decision: 'deny', reason: text, hook_errors: [text] }
}

/** Whatever else the caller said stays in `raw`, where older hooks find it. */
function toEvent(read: HookEvent, given: GivenEvent, cwd: string): Event {
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
