import { isDeepStrictEqual } from 'node:util'
import type { Decision, Effect, Finding } from '../../core/decision.ts'
import type { JsonObject } from '../../core/json.ts'
import type { CaseConfig } from './schema.ts'

/**
 * The decision, in the words of a case. `failed`: the result is only due to a hook that failed, which proves
 * nothing.
 */
type Actual = Effect | 'warn' | 'failed'

export interface Compared {
  readonly actual: Actual
  readonly differences: readonly string[]
}

/** Compares a decision with what a case expects. */
export function compareDecision(
  decision: Decision,
  {
    expect,
    by,
    reason,
    rewrite,
    context,
  }: Pick<CaseConfig, 'expect' | 'by' | 'reason' | 'rewrite' | 'context'>,
): Compared {
  const actual = actualOf(decision)
  const speakers = speakersOf(decision)
  if (actual !== expect) {
    // A hook that only remembers something for later speaks too, and decides nothing.
    const who = speakers.length === 0 || actual === 'pass' ? '' : ` by ${speakers.join(', ')}`
    const got = actual === 'failed' ? failureText(decision) : `got ${actual}${who}`
    return { actual, differences: [`expected ${expect}, ${got}`] }
  }
  const texts = textsOf(decision)
  return {
    actual,
    differences: [
      ...(by === undefined || speakers.includes(by)
        ? []
        : [`expected the decision to be by ${by}, but it was by ${speakers.join(', ') || 'no hook'}`]),
      ...(reason === undefined || texts.some((text) => text.includes(reason))
        ? []
        : [
            `expected the reason to contain ${JSON.stringify(reason)}, but it is ${JSON.stringify(texts.join(' '))}`,
          ]),
      ...(rewrite === undefined ? [] : rewriteDifferences(decision.rewrite, rewrite as JsonObject)),
      ...(context === undefined || decision.context.some(({ text }) => text.includes(context))
        ? []
        : [
            `expected the context to contain ${JSON.stringify(context)}, but it is ${JSON.stringify(decision.context.map(({ text }) => text).join(' '))}`,
          ]),
    ],
  }
}

function rewriteDifferences(actual: JsonObject | undefined, expected: JsonObject): readonly string[] {
  if (actual === undefined) return ['expected the input to be changed, but it was not']
  return Object.entries(expected).flatMap(([field, value]) => {
    const now = Object.hasOwn(actual, field) ? actual[field] : undefined
    const isSame = isDeepStrictEqual(now, value)
    return isSame
      ? []
      : [`expected \`${field}\` to become ${JSON.stringify(value)}, but it is ${JSON.stringify(now)}`]
  })
}

/**
 * A deny that is only due to a failed hook, or a pass next to one, is neither: the case would stay green when
 * the hook works again and decides otherwise.
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
  const what = failed.map(({ hook, failure }) => `${hook} failed (${failure.failure}: ${failure.message})`)
  return `got ${effect} only because ${what.join(' and ')}`
}
