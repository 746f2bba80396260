import type { Failure } from '../core/decision.ts'
import type { Engine } from '../core/engine/run-hooks.ts'
import { createTopicIndex } from '../core/engine/topic-index.ts'
import type { Guard, Pack } from '../core/guard.ts'
import { guardRunOf } from '../core/guard-run.ts'
import type { Handler, HandlerTools, Runner } from '../core/handler.ts'
import type { Hook } from '../core/hook.ts'
import { createMatcher } from '../core/match/match.ts'
import type { RegexEngine } from '../core/match/pattern.ts'
import { type MaybePromise, orElse } from '../core/maybe-async.ts'
import { indexHooks } from '../core/plan/index-hooks.ts'
import type { Plan } from '../core/plan/plan.ts'
import type { Masker } from '../core/redact/redact.ts'
import { loadHandler } from '../handlers/load-handler.ts'
import { PACKS } from '../policy/packs/index.ts'

/** An engine that more hooks can be added to. */
export interface ExtensibleEngine extends Engine {
  readonly regex: RegexEngine
}

/** What a hook needs from its environment to be prepared. */
type Tools = Partial<Omit<HandlerTools, 'guard' | 'isBuiltIn'>>

/** Prepares a plan: loads only the packs and handlers that it names. `own` are packs that a program brings. */
export async function createEngine(
  plan: Plan,
  surroundings: Tools = {},
  own: ReadonlyMap<string, Pack> = new Map(),
): Promise<ExtensibleEngine> {
  const guards = await loadGuards(plan, own)
  const tools = toolsFrom(surroundings, guards, own)
  const types = [...new Set(plan.hooks.map((hook) => hook.run.type))]
  const handlers = new Map(
    await Promise.all(types.map(async (type) => [type, await loadHandler(type, tools)] as const)),
  )
  const preparing = plan.hooks.map((hook) => prepared(hook, handlers.get(hook.run.type)))
  // A promise for each of a hundred guards takes longer than to prepare them.
  const runners = preparing.every(isPrepared) ? preparing : await Promise.all(preparing)
  const regex = await regexEngine(plan)
  const match = createMatcher(plan, regex)
  return { hooks: plan.hooks, match, runners, regex, concerned: createTopicIndex(runners) }
}

/** The engine without any hooks. */
export function emptyEngine(): ExtensibleEngine {
  return extendEngine({ hooks: [], runners: [], regex: NO_REGEX }, [], [])
}

/**
 * The same engine with more hooks after its own, which are not prepared again, because this runs whenever a
 * program registers a hook. `hooks` are all hooks, the engine's own first; `more` are the runners of the
 * added ones.
 */
export function extendEngine(
  base: Pick<ExtensibleEngine, 'hooks' | 'runners' | 'regex'>,
  hooks: readonly Hook[],
  more: readonly (Runner | Failure)[],
): ExtensibleEngine {
  const match = createMatcher({ hooks, index: indexHooks(hooks) }, base.regex)
  const runners = [...base.runners, ...more]
  return { hooks, match, runners, regex: base.regex, concerned: createTopicIndex(runners) }
}

/** A hook whose handler is loaded at its first call, so that it can be registered synchronously. */
export function lazyRunner(hook: Hook, surroundings: Tools): Runner {
  let ready: Promise<Runner | Failure> | undefined
  const load = async () =>
    prepared(hook, await loadHandler(hook.run.type, toolsFrom(surroundings, new Map(), new Map())))
  return async (call) => {
    ready ??= load()
    const runner = await ready
    return typeof runner === 'function' ? runner(call) : runner
  }
}

function toolsFrom(
  surroundings: Tools,
  guards: ReadonlyMap<string, Guard>,
  own: ReadonlyMap<string, Pack>,
): HandlerTools {
  return {
    callable: () => undefined,
    searchPath: (callers) => callers,
    ...surroundings,
    guard: (id) => guards.get(id),
    isBuiltIn: (id) => !own.has(id.slice(0, id.indexOf('/'))),
  }
}

function prepared(hook: Hook, handler: Handler | undefined): MaybePromise<Runner | Failure> {
  if (handler === undefined) return { failure: 'import', message: `no handler runs "${hook.run.type}"` }
  return orElse<Runner | Failure>(
    () => handler.prepare(hook),
    (error) => ({ failure: 'import', message: error instanceof Error ? error.message : String(error) }),
  )
}

function isPrepared(runner: MaybePromise<Runner | Failure>): runner is Runner | Failure {
  return !(runner instanceof Promise)
}

async function loadGuards(plan: Plan, own: ReadonlyMap<string, Pack>): Promise<ReadonlyMap<string, Guard>> {
  const names = new Set(plan.hooks.flatMap(({ run }) => guardRunOf(run)?.pack ?? []))
  const packs = await Promise.all(
    [...names].map((name) => own.get(name) ?? (Object.hasOwn(PACKS, name) ? PACKS[name]?.() : undefined)),
  )
  return new Map(packs.flatMap((pack) => pack?.guards ?? []).map((guard) => [guard.id, guard]))
}

/** The user's own patterns of what must be masked. */
export async function maskersOf(plan: Plan): Promise<readonly Masker[]> {
  if (plan.settings.redact.length === 0) return []
  const { linearMasker } = await import('../core/match/regex.ts')
  return plan.settings.redact.map(linearMasker)
}

/** The linear-time regular expression engine is large, and most plans need none. */
async function regexEngine(plan: Plan): Promise<RegexEngine> {
  const patterns = plan.hooks.flatMap((hook) => [...Object.values(hook.match), hook.actor.agentType])
  const needed = patterns.some((pattern) => pattern?.kind === 'regex' && pattern.engine === 'linear')
  if (needed) return (await import('../core/match/regex.ts')).linearEngine
  return NO_REGEX
}

const NO_REGEX: RegexEngine = { compile: () => () => false }
