import { type Decision, EFFECTS, type Effect, type Finding } from './decision.ts'

/**
 * All findings of one event into one decision. Laws, held by property tests: the order of finishing changes
 * nothing, one more finding never weakens the effect, and `allow` appears only if a finding said so.
 */
export function combine(findings: readonly Finding[]): Decision {
  if (findings.length === 0) return NO_OPINION
  const ordered = inPlanOrder(findings)
  const effect = strictest(ordered)
  const deciding = effect === 'pass' ? [] : ordered.filter((finding) => finding.effect === effect)
  return {
    effect,
    because: deciding.map((finding) => finding.hook),
    reasons: deciding.flatMap((finding) =>
      finding.reason === undefined
        ? []
        : [
            {
              hook: finding.hook,
              text: finding.reason,
              ...(finding.guard === undefined ? {} : { guard: finding.guard }),
            },
          ],
    ),
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

/** The decision when no hook had anything to say. */
export const NO_OPINION: Decision = Object.freeze({
  effect: 'pass',
  reasons: [],
  context: [],
  notices: [],
  because: [],
  failed: [],
  findings: [],
})

export function stricter(a: Effect, b: Effect): Effect {
  return EFFECTS.indexOf(a) >= EFFECTS.indexOf(b) ? a : b
}

function inPlanOrder(findings: readonly Finding[]): readonly Finding[] {
  for (let i = 1; i < findings.length; i += 1) {
    if ((findings[i - 1]?.order ?? 0) > (findings[i]?.order ?? 0)) {
      return [...findings].sort((a, b) => a.order - b.order)
    }
  }
  return findings
}

function strictest(findings: readonly Finding[]): Effect {
  let effect: Effect = 'pass'
  for (const finding of findings) effect = stricter(effect, finding.effect)
  return effect
}

/** Rewriters run in plan order, each on the previous result, so the last one holds them all. */
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
