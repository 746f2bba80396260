import type { Note } from '../../../decision.ts'
import { type Outcome, shortName } from '../../../metrics/metric.ts'
import { sessionPath } from '../../../metrics/places.ts'
import { type About, metric } from './metric-of.ts'

/** What became of an agent's wish to hand its work on, as the handoff guard decided it. */
export interface HandoffResult {
  /** `routed`: on to `to`. `completed`: it may end. `held`: sent back. `failed`: the workflow ends. */
  readonly outcome: Outcome
  readonly to?: string
  /** How often it was sent back before. */
  readonly retries?: number
  /** The tests that were run to decide it. */
  readonly test?: { readonly runner: string; readonly outcome: 'passed' | 'failed' | 'unclear' }
}

/** For the answer of the guard that judges handoffs: only that guard knows what it decided. */
export function handoffNote(about: About, { outcome, to, retries, test }: HandoffResult): Note {
  const { event, actor } = about
  const line = metric(about, 'handoff', `${outcome}/${retries ?? 0}`, {
    from: shortName(actor.agentType ?? (event.agentId === undefined ? 'main' : '(no type)')),
    outcome,
    ...(to === undefined ? {} : { to: shortName(to) }),
    ...(retries === undefined ? {} : { retries }),
    ...(test === undefined ? {} : { test: { ...test, runner: shortName(test.runner) } }),
  })
  return { put: 'line', path: sessionPath(event.session), json: { ...line } }
}
