import { createEngine, maskersOf } from '../../app/create-engine.ts'
import { loadPacks } from '../../config/compile.ts'
import type { Actor } from '../../core/actor.ts'
import type { Engine } from '../../core/engine/run-hooks.ts'
import type { Event } from '../../core/event.ts'
import { guardRunOf } from '../../core/guard-run.ts'
import type { Hook } from '../../core/hook.ts'
import { createMatcher } from '../../core/match/match.ts'
import { indexHooks } from '../../core/plan/index-hooks.ts'
import type { Plan } from '../../core/plan/plan.ts'
import type { Masker } from '../../core/redact/redact.ts'
import { namesCode } from '../../handlers/kind-of.ts'

/** A plan that decides recorded calls: what would start a program, load code or ask over the network is left out. */
export interface PurePlan {
  readonly plan: Plan
  readonly engine: Engine
  readonly maskers: readonly Masker[]
  readonly leftOut: readonly Hook[]
  /** Whether a hook that was left out would have been asked. */
  mightDiffer(event: Event, actor: Actor): boolean
}

export async function withoutPrograms(whole: Plan): Promise<PurePlan> {
  const starting = await guardsThatStart()
  const startsProgram = ({ run }: Hook) => namesCode(run) || starting.has(guardRunOf(run)?.guard ?? '')
  const leftOut = whole.hooks.filter(startsProgram)
  const hooks = whole.hooks.filter((hook) => !startsProgram(hook))
  const plan = leftOut.length === 0 ? whole : { ...whole, hooks, index: indexHooks(hooks) }
  return {
    plan,
    engine: await createEngine(plan),
    maskers: await maskersOf(plan),
    leftOut,
    mightDiffer: leftOut.length === 0 ? () => false : await matcherOf(leftOut),
  }
}

/** Built-in guards that need the outcome of a command. */
async function guardsThatStart(): Promise<ReadonlySet<string>> {
  const guards = [...(await loadPacks()).values()].flatMap((pack) => pack.guards)
  return new Set(guards.filter(({ needs }) => needs !== undefined).map(({ id }) => id))
}

async function matcherOf(hooks: readonly Hook[]): Promise<PurePlan['mightDiffer']> {
  const { linearEngine } = await import('../../core/match/regex.ts')
  const find = createMatcher({ hooks, index: indexHooks(hooks) }, linearEngine)
  return (event, actor) => find(event, actor).length > 0
}
