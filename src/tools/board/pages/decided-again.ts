import { type LoadedPlan, type LoadedPlans, loadPlan } from '../../../app/load-plan.ts'
import { rehearse } from '../../../app/rehearse.ts'
import { abilitiesAt } from '../../../app/responder.ts'
import { HoldpointError } from '../../../core/errors.ts'
import type { Event } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { redact } from '../../../core/redact/redact.ts'
import { findHost } from '../../../hosts/find-host.ts'
import type { Home } from '../../../system/home.ts'
import { explainedOutcome } from '../../explain/explained.ts'
import { type PurePlan, withoutPrograms } from '../../history/without-programs.ts'
import type { HookRow, TriedVerdict } from '../api.ts'

/** Plans that are ready to decide, without the hooks that start programs: looking at a page must not run anything. */
export interface ReadyPlans {
  /** The plan of a project as its files are now. */
  ofProject(project: string): Promise<PurePlan>
  of(plan: Plan): Promise<PurePlan>
}

const PLANS_MAX = 32

export function createReadyPlans(home: Home): ReadyPlans {
  const loaded: LoadedPlans = new Map()
  const ready = new Map<string, Promise<PurePlan>>()
  const of = (plan: Plan) => {
    const known = ready.get(plan.revision) ?? withoutPrograms(plan)
    ready.delete(plan.revision)
    ready.set(plan.revision, known)
    const [oldest] = ready.keys()
    if (ready.size > PLANS_MAX && oldest !== undefined) ready.delete(oldest)
    return known
  }
  return {
    of,
    async ofProject(project) {
      const found = await loadPlan(project, { home }, loaded)
      if (!found.ok) throw new HoldpointError(found.problem)
      return of(found.value.plan)
    },
  }
}

/** What a plan says of a call, hook by hook. Nothing is kept, written or started. */
export async function verdictOf(
  pure: PurePlan,
  event: Event,
  asked: { readonly facts: Facts; readonly skills: readonly string[]; readonly fitToHost: boolean },
): Promise<TriedVerdict> {
  const host = asked.fitToHost ? await findHost(event.host) : undefined
  const plan: LoadedPlan = { plan: pure.plan, engine: pure.engine, maskers: pure.maskers, broken: [] }
  const tried = await rehearse(plan, event, {
    facts: asked.facts,
    skills: asked.skills,
    ...(host?.ok === true ? { can: abilitiesAt(host.value, event) } : {}),
  })
  const hide = (text: string) => redact(text, pure.maskers)
  const { effect, reasons, downgraded = [], notices } = tried.decision
  const mightDiffer = pure.mightDiffer(event, tried.actor)
  return {
    effect,
    reasons: reasons.map(({ text }) => hide(text)),
    downgraded,
    notices: notices.map(hide),
    hooks: tried.trace.map((traced): HookRow => {
      const hook = pure.plan.hooks[traced.hookIndex]
      const { said, why = '' } = explainedOutcome(traced)
      return {
        id: hook?.id ?? '',
        kind: hook?.run.type ?? '',
        said: String(said),
        why: hide(String(why)),
        durationMs: traced.durationMs,
        layer: hook?.rank ?? '',
        file: hook?.origin.file ?? '',
        ...(hook?.origin.line === undefined ? {} : { line: hook.origin.line }),
      }
    }),
    leftOut: mightDiffer ? [...new Set(pure.leftOut.map(({ id }) => id))] : [],
    revision: pure.plan.revision,
  }
}
