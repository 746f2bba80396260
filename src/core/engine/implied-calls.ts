import type { Decision, Finding } from '../decision.ts'
import type { Event } from '../event.ts'
import { combine } from './combine.ts'

/**
 * A call that follows from an event without an event of its own: a command in a skill runs when the skill starts. The same
 * hooks check it, and if they stop it, they stop the event from which it follows.
 */
export interface ImpliedCall {
  /** What leads to it, for the reason, because the agent never made this call itself. */
  readonly says: string
  /** Undefined if it cannot be checked; the event is denied then. */
  readonly event: Event | undefined
}

/** The decision on the event, and on what follows from it. */
export function withImplied(
  decision: Decision,
  judged: readonly { readonly call: ImpliedCall; readonly decision: Decision | undefined }[],
): Decision {
  const found = judged.flatMap(({ call, decision: each }) => findingsOf(call, each))
  return found.length === 0 ? decision : combine([...decision.findings, ...found])
}

/** Only findings that stop it: nothing is changed, shown or remembered for a call that the agent did not make. */
function findingsOf({ says }: ImpliedCall, decision: Decision | undefined): readonly Finding[] {
  if (decision === undefined) return [{ hook: 'holdpoint/instructions', effect: 'deny', reason: `${says}.` }]
  return decision.findings.flatMap((finding) => {
    const { hook, hookIndex, effect, reason, guard, detail, failed } = finding
    if (effect !== 'deny' && effect !== 'ask') return []
    return [
      {
        ...{ hook, effect, reason: `${says}. ${reason ?? ''}`.trimEnd() },
        ...(hookIndex === undefined ? {} : { hookIndex }),
        ...(guard === undefined ? {} : { guard }),
        ...(detail === undefined ? {} : { detail }),
        ...(failed === undefined ? {} : { failed }),
      },
    ]
  })
}
