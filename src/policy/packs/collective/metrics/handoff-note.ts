import type { Note } from '../../../../core/decision.ts'
import { type MetricOutcome, shortName } from '../../../metrics/metric.ts'
import { sessionPath } from '../../../metrics/places.ts'
import { type MetricInput, metric } from './metric-of.ts'

/** The result of a handoff request, as the handoff guard decided it. */
export interface HandoffResult {
  /** `routed`: handed to `to`. `completed`: the agent may end. `held`: sent back. `failed`: the workflow ends. */
  readonly outcome: MetricOutcome
  readonly to?: string
  /** How often the agent was sent back before. */
  readonly retries?: number
  /** The tests that ran for this decision. */
  readonly test?: { readonly runner: string; readonly outcome: 'passed' | 'failed' | 'unclear' }
}

/** For the answer of the handoff guard: only that guard knows what it decided. */
export function handoffNote(about: MetricInput, { outcome, to, retries, test }: HandoffResult): Note {
  const { event, actor } = about
  const line = metric(about, 'handoff', `${outcome}/${retries ?? 0}`, {
    from: shortName(actor.agentType ?? (event.agentId === undefined ? 'main' : '(no type)')),
    outcome,
    ...(to === undefined ? {} : { to: shortName(to) }),
    ...(retries === undefined ? {} : { retries }),
    ...(test === undefined ? {} : { test: { ...test, runner: shortName(test.runner) } }),
  })
  return { kind: 'append', path: sessionPath(event.session), json: { ...line } }
}
