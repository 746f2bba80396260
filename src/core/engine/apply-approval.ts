import type { Approval } from '../approval.ts'
import type { Decision, Reason } from '../decision.ts'
import type { Abilities } from '../host.ts'

/** The name of a person's answer among the hooks that decided. */
const APPROVAL = 'holdpoint/approval'

/** Whether an `ask` reaches no user at this agent. An event that cannot be stopped has nothing to wait for. */
export function reachesNobody(decision: Decision, can: Abilities, unattended: string | undefined): boolean {
  return decision.effect === 'ask' && can.deny && (can.ask === false || unattended !== undefined)
}

/**
 * What a question becomes with the answer of a person. An approval is what the user would have answered at the agent.
 * No answer in time is a denial that says so. If there is nobody to ask, it stays a question, for the host.
 */
export function applyApproval(decision: Decision, approval: Approval): Decision {
  switch (approval.kind) {
    case 'nobody':
      return decision
    case 'approved':
      return {
        ...decision,
        effect: 'allow',
        because: [APPROVAL],
        reasons: [],
        downgraded: [...(decision.downgraded ?? []), 'ask to allow: a person approved it'],
        approval,
      }
    case 'denied':
      return denied(decision, approval, 'a person denied it', [saidNo(approval.reason), ...decision.reasons])
    case 'late':
      return denied(decision, approval, 'nobody answered in time', [
        ...decision.reasons,
        because(
          `A person was asked and did not answer within ${seconds(approval.waitedMs)}, so this was denied. Tell the user what you need, and do not work around this.`,
        ),
      ])
    case 'closed':
      return denied(decision, approval, 'the board was closed', [
        ...decision.reasons,
        because(
          'The board on which a person could have answered was closed, so this was denied. Tell the user what you need.',
        ),
      ])
  }
}

function denied(decision: Decision, approval: Approval, why: string, reasons: readonly Reason[]): Decision {
  return {
    ...decision,
    effect: 'deny',
    because: [...decision.because, APPROVAL],
    reasons,
    notices: [...decision.notices, ...decision.reasons.flatMap(({ ifDenied }) => ifDenied ?? [])],
    downgraded: [...(decision.downgraded ?? []), `ask to deny: ${why}`],
    approval,
  }
}

function saidNo(reason: string): Reason {
  const said = reason.trim()
  return because(
    said === ''
      ? 'The user was asked and denied this call. Do not work around this.'
      : `The user was asked and denied this call: ${said}`,
  )
}

function because(text: string): Reason {
  return { hook: APPROVAL, text }
}

function seconds(ms: number): string {
  const count = Math.round(ms / 1_000)
  return count === 1 ? '1 second' : `${count} seconds`
}
