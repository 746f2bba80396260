import type { Effect } from '../../core/decision.ts'
import { CHANGES, type Change, type DiffGroup, type ReplayTally } from './diff.ts'

/** A replay for people and programs. Everything in it is masked. */
export interface ReplayReport {
  readonly format: 1
  /** First, because it says how far the rest can be relied on: the share of uncertain verdicts, from 0 to 1. */
  readonly uncertainShare: number
  readonly uncertain: number
  readonly doubts: Readonly<Record<string, number>>
  readonly events: number
  readonly sessions: number
  readonly skipped: number
  readonly undecided: number
  /** What was compared, in words. */
  readonly policy: string
  readonly against?: string
  readonly effects: Readonly<Record<Effect, number>>
  readonly before?: Readonly<Record<Effect, number>>
  readonly changes?: Readonly<Record<Change, number>>
  readonly stricter?: number
  readonly weaker?: number
  readonly groups?: readonly DiffGroup[]
  readonly ungrouped?: number
  readonly leftOut: readonly string[]
}

export function buildReplayReport(
  tally: ReplayTally,
  about: { readonly policy: string; readonly against?: string; readonly leftOut: readonly string[] },
): ReplayReport {
  const { uncertain, events, doubts, sessions, skipped, undecided, effects } = tally
  const groups = [...tally.groups].sort(
    (a, b) => CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change) || b.count - a.count,
  )
  return {
    format: 1,
    uncertainShare: events === 0 ? 0 : Math.round((10_000 * uncertain) / events) / 10_000,
    uncertain,
    doubts,
    events,
    sessions,
    skipped,
    undecided,
    policy: about.policy,
    effects,
    ...(about.against === undefined
      ? {}
      : {
          against: about.against,
          before: tally.before,
          changes: tally.changes,
          stricter: tally.stricter,
          weaker: tally.weaker,
          groups,
          ungrouped: tally.ungrouped,
        }),
    leftOut: about.leftOut,
  }
}

export type FailOn = 'newly-allowed' | 'newly-denied' | 'any'

/** Whether a gate must close. Uncertain changes count: a gate must not open because something was not recorded. */
export function mustFail(tally: ReplayTally, failOn: FailOn): boolean {
  // What could not be decided was not compared.
  if (tally.undecided > 0) return true
  if (failOn === 'newly-allowed') return tally.weaker > 0
  if (failOn === 'newly-denied') return tally.stricter > 0
  return CHANGES.some((change) => tally.changes[change] > 0)
}
