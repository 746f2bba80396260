import type { Context, Decision, Reply } from '../../decision.ts'
import { describeProblem, type Problem } from '../../errors.ts'
import type { Event } from '../../event.ts'
import { resultOf } from '../../massgen/aggregate.ts'
import type { LastResort } from '../host.ts'
import { MASSGEN_EVENTS } from './abilities.ts'

/**
 * A HookResult with the fields that say something: `{"allowed":true,"decision":"allow"}` is all of an allow. What hooks
 * warn of is injected, because MassGen has no other way to say it; people read standard error.
 */
export function encode(decision: Decision, event: Event): Reply {
  const canInject = MASSGEN_EVENTS[event.kind]?.context === true
  const result = resultOf({
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
