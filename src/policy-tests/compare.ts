import type { Decision, Effect, Finding } from '../decision.ts'
import type { CaseConfig } from './schema.ts'

/** What was decided, in the words of a case. `failed`: only because a hook could not answer, which proves nothing. */
type Actual = Effect | 'warn' | 'failed'

export interface Compared {
  readonly actual: Actual
  readonly differences: readonly string[]
}

/** A decision against what a case expects of it. */
export function compareDecision(
  decision: Decision,
  { expect, by, reason }: Pick<CaseConfig, 'expect' | 'by' | 'reason'>,
): Compared {
  const actual = actualOf(decision)
  const speakers = speakersOf(decision)
  if (actual !== expect) {
    const who = speakers.length === 0 ? '' : ` by ${speakers.join(', ')}`
    const got = actual === 'failed' ? failureText(decision) : `got ${actual}${who}`
    return { actual, differences: [`expected ${expect}, ${got}`] }
  }
  const texts = textsOf(decision)
  return {
    actual,
    differences: [
      ...(by === undefined || speakers.includes(by)
        ? []
        : [`expected it to be decided by ${by}, it was by ${speakers.join(', ') || 'nobody'}`]),
      ...(reason === undefined || texts.some((text) => text.includes(reason))
        ? []
        : [
            `expected the reason to contain ${JSON.stringify(reason)}, it is ${JSON.stringify(texts.join(' '))}`,
          ]),
    ],
  }
}

/**
 * A deny that only a broken hook brought about, or a pass beside one, is neither: the case would go on being green
 * when the hook works again and decides otherwise.
 */
function actualOf(decision: Decision): Actual {
  const { effect, failed, notices } = decision
  if (effect === 'pass') return failed.length > 0 ? 'failed' : notices.length > 0 ? 'warn' : 'pass'
  const deciding = decidingIn(decision)
  return deciding.length > 0 && deciding.every((finding) => finding.failed !== undefined) ? 'failed' : effect
}

function decidingIn({ findings, effect }: Decision): readonly Finding[] {
  return findings.filter((finding) => finding.effect === effect)
}

/** Everything that decided, by every name it has. */
function speakersOf(decision: Decision): readonly string[] {
  const names = decidingIn(decision)
    .filter((finding) => finding.failed === undefined)
    .flatMap(({ hook, guard }) => (guard === undefined ? [hook] : [guard, hook]))
  return [...new Set(names)]
}

function textsOf({ reasons, notices, context }: Decision): readonly string[] {
  return [...reasons.map(({ text }) => text), ...notices, ...context.map(({ text }) => text)]
}

function failureText({ failed, effect }: Decision): string {
  const what = failed.map(
    ({ hook, failure }) => `${hook} could not answer (${failure.failure}: ${failure.message})`,
  )
  return `got ${effect} only because ${what.join(' and ')}`
}
