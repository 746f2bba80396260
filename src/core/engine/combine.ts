import { type Decision, type Effect, type Finding, stricter } from '../decision.ts'
import { reasonsOf } from './few-reasons.ts'

/**
 * Combines all findings of one event into one decision. Property tests check three rules: the order in which hooks
 * finish changes nothing, one more finding never weakens the effect, and `allow` needs a finding that said so.
 */
export function combine(findings: readonly Finding[]): Decision {
  if (findings.length === 0) return NO_OPINION
  const ordered = inPlanOrder(findings)
  const effect = strictest(ordered)
  const deciding = effect === 'pass' ? [] : ordered.filter((finding) => finding.effect === effect)
  return {
    effect,
    because: deciding.map((finding) => finding.hook),
    reasons: reasonsOf(deciding),
    context: ordered.flatMap((finding) => finding.context ?? []),
    notices: ordered.flatMap((finding) => finding.notices ?? []),
    failed: ordered.flatMap((finding) =>
      finding.failed === undefined
        ? []
        : [{ hook: finding.hook, failure: finding.failed, became: finding.effect }],
    ),
    ...lastOf(ordered, 'rewrite'),
    ...lastOf(ordered, 'output'),
    ...firstHalt(ordered),
    findings: ordered,
  }
}

/** The decision when no hook answered. */
export const NO_OPINION: Decision = Object.freeze({
  effect: 'pass',
  reasons: [],
  context: [],
  notices: [],
  because: [],
  failed: [],
  findings: [],
})

function inPlanOrder(findings: readonly Finding[]): readonly Finding[] {
  for (let i = 1; i < findings.length; i += 1) {
    const [before, after] = [findings[i - 1], findings[i]]
    if (before !== undefined && after !== undefined && comesAfter(before, after) > 0) {
      return [...findings].sort(comesAfter)
    }
  }
  return findings
}

/** First round before second, then by position in the plan. Findings of Holdpoint itself come last. */
function comesAfter(a: Finding, b: Finding): number {
  const [first, second] = [a.hookIndex ?? Number.POSITIVE_INFINITY, b.hookIndex ?? Number.POSITIVE_INFINITY]
  const isOneOwn = a.hookIndex === undefined || b.hookIndex === undefined
  const rounds = isOneOwn ? 0 : (a.round ?? 1) - (b.round ?? 1)
  return rounds !== 0 ? rounds : first === second ? 0 : first - second
}

function strictest(findings: readonly Finding[]): Effect {
  let effect: Effect = 'pass'
  for (const finding of findings) effect = stricter(effect, finding.effect)
  return effect
}

/** Rewriters run in plan order, each on the previous result, so the last one contains them all. */
function lastOf<K extends 'rewrite' | 'output'>(
  findings: readonly Finding[],
  key: K,
): Pick<Finding, K> | object {
  const last = findings.findLast((finding) => finding[key] !== undefined)
  return last === undefined ? {} : { [key]: last[key] }
}

function firstHalt(findings: readonly Finding[]): { readonly halt?: string } {
  const halting = findings.find((finding) => finding.halt !== undefined)
  return halting?.halt === undefined ? {} : { halt: halting.halt }
}
