import type { Mode } from '../../core/guard.ts'
import { guardRunOf } from '../../core/guard-run.ts'
import { type HandlerSpec, type Hook, RANKS, type Rank } from '../../core/hook.ts'
import { indexHooks } from '../../core/plan/index-hooks.ts'
import type { Plan } from '../../core/plan/plan.ts'
import type { RuleCondition, RuleOutcome, RuleRun } from '../../core/rule.ts'
import { ruleRunOf } from '../../core/rule.ts'
import type { ContractRun } from '../../policy/completion/contract.ts'
import { contractRunOf } from '../../policy/completion/contract.ts'
import { ALWAYS, leavesOf, withLeaf } from './conditions.ts'

/** A policy with one thing wrong in it. A test should notice. */
export interface Mutant {
  /** The rule, guard or contract that was changed. */
  readonly hook: Hook
  /** What was done to it. */
  readonly change: string
  readonly plan: Plan
}

/** Where a project's own policy comes from. */
export const OWN_RANKS: ReadonlySet<Rank> = new Set<Rank>(['project', 'local', 'plugin', 'frontmatter'])

/**
 * Every rule dropped, each of its conditions negated and removed, each effect weakened; every contract and each of its demands
 * dropped; each guard weakened whose mode the project chose (`standard`: the modes of those it left alone). What an entry on several events shares is changed in all of them.
 */
export function mutantsOf(plan: Plan, standard: ReadonlyMap<string, Mode>): readonly Mutant[] {
  const own = plan.hooks.filter(
    ({ id, rank, run }) =>
      OWN_RANKS.has(rank) && (guardRunOf(run) === undefined || standard.get(id) !== run.mode),
  )
  const first = own.filter((hook, index) => own.findIndex((other) => isSame(other, hook)) === index)
  return first.flatMap((hook) =>
    changesOf(hook.run).map(({ change, run }) => mutant(plan, hook, change, run)),
  )
}

function isSame(a: Hook, b: Hook): boolean {
  return a.id === b.id && a.rank === b.rank && JSON.stringify(a.run) === JSON.stringify(b.run)
}

interface Change {
  readonly change: string
  /** Undefined: the hook is gone. */
  readonly run: HandlerSpec | undefined
}

function changesOf(run: HandlerSpec): readonly Change[] {
  const [rule, contract, guard] = [ruleRunOf(run), contractRunOf(run), guardRunOf(run)]
  if (rule !== undefined) return ruleChanges(rule)
  if (contract !== undefined) return contractChanges(contract)
  return guard === undefined ? [] : guardChanges(guard)
}

const DROPPED: Change = { change: 'dropped', run: undefined }

function ruleChanges(run: RuleRun): readonly Change[] {
  // The companion of a `seen` is not a rule that somebody wrote.
  if (run.outcome.remember !== undefined) return []
  const changed = (change: string, more: Partial<RuleRun>): Change => ({
    change,
    run: { ...run, ...more } as unknown as HandlerSpec,
  })
  const when = leavesOf(run.when).flatMap(({ place, text }) => [
    changed(`\`${text}\` negated`, { when: withLeaf(run.when, place, negated) }),
    changed(`\`${text}\` removed`, { when: withLeaf(run.when, place, () => ALWAYS) }),
  ])
  const { repeated, ...always } = run
  return [
    DROPPED,
    ...when,
    ...(repeated === undefined
      ? []
      : [{ change: '`repeated` removed', run: always as unknown as HandlerSpec }]),
    ...weakerOutcomes(run.outcome).map(([change, outcome]) => changed(change, { outcome })),
  ]
}

function negated(condition: RuleCondition): RuleCondition {
  return { kind: 'not', of: condition }
}

function weakerOutcomes(outcome: RuleOutcome): readonly (readonly [change: string, RuleOutcome])[] {
  const { deny, ask, ...rest } = outcome
  if (deny !== undefined) return [['deny weakened to ask', { ...rest, ask: deny }]]
  return ask === undefined ? [] : [['ask weakened to warn', { ...rest, warn: ask }]]
}

/** Only the part that holds an agent decides anything. */
function contractChanges(run: ContractRun): readonly Change[] {
  if (run.part !== 'judge') return []
  const without = (key: 'files' | 'messages') =>
    run.contract[key].map((_, index): Change => {
      const contract = { ...run.contract, [key]: run.contract[key].filter((_each, at) => at !== index) }
      return {
        change: `${key} ${index + 1} not required`,
        run: { ...run, contract } as unknown as HandlerSpec,
      }
    })
  return [DROPPED, ...without('files'), ...without('messages')]
}

const WEAKER: Readonly<Record<string, string>> = { deny: 'ask', ask: 'warn', warn: 'off' }

function guardChanges(run: HandlerSpec): readonly Change[] {
  const { mode } = run
  const weaker = typeof mode === 'string' ? WEAKER[mode] : undefined
  if (weaker === undefined) return []
  const change = `${String(mode)} weakened to ${weaker}`
  return [{ change, run: weaker === 'off' ? undefined : { ...run, mode: weaker } }]
}

function mutant(plan: Plan, hook: Hook, change: string, run: HandlerSpec | undefined): Mutant {
  const hooks = plan.hooks
    .flatMap((each) => (isSame(each, hook) ? (run === undefined ? [] : [{ ...each, run }]) : [each]))
    .sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank))
  return { hook, change, plan: { ...plan, hooks, index: indexHooks(hooks) } }
}
