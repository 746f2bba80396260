import { guardRunOf } from '../../core/guard-run.ts'
import type { Origin, Rank } from '../../core/hook.ts'
import type { Plan } from '../../core/plan/plan.ts'
import type { CaseResult } from './run-case.ts'

export interface Unexercised {
  readonly id: string
  readonly origin: Origin
}

/** The ranks of a project's own rules. The guards of packs have their own tests. */
const OWN: ReadonlySet<Rank> = new Set<Rank>(['project', 'local', 'plugin', 'frontmatter'])

/**
 * The rules and hooks of the project that had no opinion in any case: no test would notice if they were
 * removed.
 */
export function unexercised(plan: Plan, results: readonly CaseResult[]): readonly Unexercised[] {
  const spoke = new Set(results.flatMap(({ exercised }) => exercised).map((order) => plan.hooks[order]?.id))
  const silent = new Map<string, Unexercised>()
  for (const { id, rank, run, origin } of plan.hooks) {
    if (OWN.has(rank) && guardRunOf(run) === undefined && !spoke.has(id) && !silent.has(id))
      silent.set(id, { id, origin })
  }
  return [...silent.values()]
}
