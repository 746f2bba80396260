import type { Context, Decision, Reply } from '../../core/decision.ts'
import { describeProblem, type Problem } from '../../core/errors.ts'
import type { Event } from '../../core/event.ts'
import { aggregateResult } from '../../core/formats/massgen-aggregate.ts'
import { hookEventOf } from '../../core/formats/massgen-hook-type.ts'
import type { LastResort } from '../../core/host.ts'
import { MASSGEN_EVENTS } from './abilities.ts'

/**
 * A HookResult with only the fields it needs: `{"allowed":true,"decision":"allow"}` is a complete allow. Warnings of
 * hooks are injected, because MassGen has no other field for them; people read standard error.
 */
export function encode(decision: Decision, event: Event): Reply {
  const kind = hookEventOf(event.kind)
  const canInject = kind !== undefined && MASSGEN_EVENTS[kind].context
  const result = aggregateResult({
    ...decision,
    context: canInject ? [...decision.context, ...warningsIn(decision)] : [],
  })
  const said = Object.entries(result).filter(([, value]) => saysSomething(value))
  const halt = decision.halt === undefined ? [] : [decision.halt]
  return {
    stdout: `${JSON.stringify(Object.fromEntries(said))}\n`,
    stderr: [...decision.notices, ...halt].map((text) => `${text}\n`).join(''),
    exitCode: 0,
  }
}

/** The notices of hooks that did answer, as they are told: notices stand in the order of their findings. */
function warningsIn({ notices, findings }: Decision): readonly Context[] {
  const areAnswers = findings.flatMap((finding) =>
    (finding.notices ?? []).map(() => finding.failed === undefined),
  )
  return notices.filter((_text, index) => areAnswers[index]).map((text) => ({ text, to: 'self' }))
}

function saysSomething(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0)
}

export function refuse(problem: Problem, { effect }: LastResort): Reply {
  const text = `holdpoint: this could not be judged. ${describeProblem(problem)}`
  if (effect === 'deny') return { stdout: '', stderr: `${text}\n`, exitCode: 2 }
  const body = { allowed: true, decision: 'allow', hook_errors: [text] }
  return { stdout: `${JSON.stringify(body)}\n`, stderr: `${text}\n`, exitCode: 0 }
}
