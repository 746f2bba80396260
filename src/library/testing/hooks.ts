import { createEngine } from '../../app/create-engine.ts'
import type { Engine } from '../../core/engine/run-hooks.ts'
import type { Callable } from '../../core/handler.ts'
import { FAILURE_KINDS, type FailurePolicy, type Hook, type OnFailure } from '../../core/hook.ts'
import type { Layer } from '../../core/layer.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { buildPlan } from '../../handlers/plan.ts'

/** Builders for hooks that are plain functions: they test the engine without packs or programs. */

export interface CallableHook extends Partial<Omit<Hook, 'run' | 'onFailure'>> {
  readonly run: Callable
  readonly onFailure?: FailurePolicy | OnFailure
}

export function onFailureOf(policy: FailurePolicy): OnFailure {
  return Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, policy])) as OnFailure
}

/** A complete hook; pass only what the test is about. */
export function hookOf(more: Partial<Hook>): Hook {
  return {
    id: 'hook',
    on: 'PreToolUse',
    match: {},
    actor: {},
    run: { type: 'callable', name: 'none' },
    timeoutMs: 1_000,
    onFailure: onFailureOf('deny'),
    rewrites: false,
    grants: false,
    required: false,
    trusted: true,
    rank: 'user',
    origin: { file: 'test' },
    ...more,
  }
}

/** A plan of functions, in the given order, and the engine that runs it. */
export async function engineOf(hooks: readonly CallableHook[]): Promise<{ plan: Plan; engine: Engine }> {
  const callables = new Map(hooks.map((hook, i) => [`function-${i}`, hook.run]))
  const compiled = hooks.map((hook, i) =>
    hookOf({
      id: `hook-${i}`,
      ...hook,
      run: { type: 'callable', name: `function-${i}` },
      onFailure: policyOf(hook.onFailure),
    }),
  )
  const plan = planOf(compiled)
  return { plan, engine: await createEngine(plan, { callable: (name) => callables.get(name) }) }
}

/** A plan of given hooks, indexed like a compiled one. */
export function planOf(hooks: readonly Hook[]): Plan {
  const layers = hooks.map(({ rank, trusted, on, ...hook }): Layer => {
    const entry = { ...hook, on: [on] }
    return { rank, trusted, file: 'test', packs: [], hooks: [entry], settings: {}, problems: [] }
  })
  return buildPlan(layers, new Map())
}

function policyOf(policy: FailurePolicy | OnFailure | undefined): OnFailure {
  if (policy === undefined) return onFailureOf('deny')
  return typeof policy === 'string' || 'retry' in policy ? onFailureOf(policy as FailurePolicy) : policy
}
