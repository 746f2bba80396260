import { createEngine } from '../../app/create-engine.ts'
import { guardRunOf } from '../../core/guard-run.ts'
import type { Hook, Origin } from '../../core/hook.ts'
import { indexHooks } from '../../core/plan/index-hooks.ts'
import type { Plan } from '../../core/plan/plan.ts'
import type { RuleRun } from '../../core/rule.ts'
import { isWrittenRule, ruleRunOf } from '../../core/rule.ts'
import { handlerKind } from '../../handlers/kind-of.ts'
import { leavesOf } from './conditions.ts'
import { OWN_RANKS } from './mutants.ts'
import type { ReadCase } from './read-file.ts'
import { type CaseContext, type CaseResult, runCase } from './run-case.ts'

export interface CoverageReport {
  readonly rules: readonly RuleCoverage[]
  readonly contracts: readonly Exercised[]
  readonly hooks: readonly Exercised[]
  /** Built-in guards that are on, and those that had something to say. */
  readonly guards: { readonly on: number; readonly spoke: readonly string[] }
  /** From 0 to 100: of the project's own rules, their conditions, contracts and hooks. */
  readonly percent: number
}

export interface Exercised {
  readonly id: string
  readonly origin: Origin
  /** In how many cases it had something to say. */
  readonly cases: number
  /** How many recorded events it decided. */
  readonly history: number
}

export interface RuleCoverage extends Exercised {
  readonly conditions: readonly { readonly text: string; readonly held: number; readonly failed: number }[]
}

/**
 * What the tests, and the recorded events, have exercised. A rule is covered when it spoke; a condition when it held in one case
 * and did not hold in another, of those in which its rule was asked.
 */
export async function measureCoverage(
  cases: readonly ReadCase[],
  results: readonly CaseResult[],
  context: CaseContext,
  history: ReadonlyMap<string, number>,
): Promise<CoverageReport> {
  const { plan } = context.loaded
  const spoke = countSpeakers(plan, results)
  const own = [...new Map(plan.hooks.filter(isOwn).map((hook) => [hook.id, hook])).values()]
  const exercised = (hook: Hook): Exercised => ({
    id: hook.id,
    origin: hook.origin,
    cases: spoke.get(hook.id) ?? 0,
    history: history.get(hook.id) ?? 0,
  })
  const conditions = await conditionCoverage(own.filter(isRule), cases, context)
  const rules = own
    .filter(isRule)
    .map((hook) => ({ ...exercised(hook), conditions: conditions.get(hook.id) ?? [] }))
  const contracts = own.filter(({ run }) => handlerKind(run).section === 'contracts').map(exercised)
  const hooks = own.filter(({ run }) => handlerKind(run).section === 'hooks').map(exercised)
  const guardIds = new Set(plan.hooks.filter(({ run }) => guardRunOf(run) !== undefined).map(({ id }) => id))
  const points = [
    ...[...rules, ...contracts, ...hooks].map((each) => each.cases + each.history > 0),
    ...rules.flatMap((rule) => rule.conditions.map(({ held, failed }) => held > 0 && failed > 0)),
  ]
  const covered = points.filter(Boolean).length
  return {
    rules,
    contracts,
    hooks,
    guards: { on: guardIds.size, spoke: [...guardIds].filter((id) => spoke.has(id)) },
    percent: points.length === 0 ? 100 : Math.floor((100 * covered) / points.length),
  }
}

function isOwn({ rank, run }: Hook): boolean {
  return OWN_RANKS.has(rank) && guardRunOf(run) === undefined
}

function isRule({ run }: Hook): boolean {
  return isWrittenRule(run)
}

function countSpeakers(plan: Plan, results: readonly CaseResult[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { exercised } of results) {
    for (const id of new Set(exercised.map((order) => plan.hooks[order]?.id ?? ''))) {
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }
  return counts
}

/** Each condition becomes a rule of its own that only warns: whether it held is what the engine itself says. */
async function conditionCoverage(
  rules: readonly Hook[],
  cases: readonly ReadCase[],
  context: CaseContext,
): Promise<ReadonlyMap<string, RuleCoverage['conditions']>> {
  const { plan } = context.loaded
  const probes = rules.flatMap((hook) =>
    leavesOf((hook.run as unknown as RuleRun).when).map((leaf) => ({ hook, leaf })),
  )
  const asked = rules.map((hook) => ({
    ...hook,
    run: probeRun(hook.run as unknown as RuleRun, { kind: 'all', of: [] }),
  }))
  const hooks = [
    ...probes.map(({ hook, leaf }) => ({
      ...hook,
      run: probeRun(hook.run as unknown as RuleRun, leaf.condition),
    })),
    ...asked,
  ]
  // What `seen` asks for is remembered by companions of the rule, which stay as they are.
  const companions = plan.hooks.filter(({ run }) => ruleRunOf(run)?.outcome.remember !== undefined)
  const all = [...hooks, ...companions]
  const probePlan: Plan = { ...plan, hooks: all, index: indexHooks(all) }
  const loaded = { ...context.loaded, plan: probePlan, engine: await createEngine(probePlan) }
  const counts = probes.map(() => ({ held: 0, failed: 0 }))
  for (const each of cases) {
    const { exercised } = await runCase(each, { ...context, loaded })
    const spoke = new Set(exercised)
    for (const [index, { hook }] of probes.entries()) {
      const count = counts[index]
      const wasAsked = spoke.has(probes.length + rules.indexOf(hook))
      if (count === undefined || !wasAsked) continue
      if (spoke.has(index)) count.held += 1
      else count.failed += 1
    }
  }
  const found = new Map<string, RuleCoverage['conditions'][number][]>()
  for (const [index, { hook, leaf }] of probes.entries()) {
    const count = counts[index] ?? { held: 0, failed: 0 }
    found.set(hook.id, [...(found.get(hook.id) ?? []), { text: leaf.text, ...count }])
  }
  return found
}

function probeRun(run: RuleRun, when: RuleRun['when']): Hook['run'] {
  const { repeated: _repeated, once: _once, ...rest } = run
  return { ...rest, when, outcome: { warn: 'probe' } } as unknown as Hook['run']
}
