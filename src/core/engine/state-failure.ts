import type { Decision, Failure, Finding } from '../decision.ts'
import type { Event } from '../event.ts'
import type { Commit } from '../state/state.ts'
import { combine } from './combine.ts'
import type { DecideContext } from './decide-context.ts'
import { fitToHost } from './fit-to-host.ts'
import { failedAfterwards } from './hook-execution.ts'
import { allowStop } from './stop-budget.ts'
import { unattendedMode } from './unattended.ts'

/** The state could not be stored: the memory of hooks is lost, and the failure policy of each hook applies. */
export function onStateFailure(
  decision: Decision,
  commit: Commit,
  event: Event,
  context: DecideContext,
): Decision {
  const failure: Failure = { failure: 'state', message: 'its memory could not be stored' }
  const findings = decision.findings.map((finding): Finding => {
    const wanted = decision.effect === 'deny' ? finding.rememberDenied : finding.remember
    const hook = finding.hookIndex === undefined ? undefined : context.engine.hooks[finding.hookIndex]
    return wanted === undefined || wanted.length === 0 || hook === undefined
      ? finding
      : failedAfterwards(hook, finding, failure)
  })
  const lostSkill = commit.changes.find((change) => change.kind === 'skill' && change.active)
  const told = lostSkill === undefined || lostSkill.kind !== 'skill' ? [] : [lostSkillFinding(lostSkill.name)]
  const again = combine([...findings, ...told])
  // A stop that was blocked before and cannot be counted would be blocked forever.
  const uncounted = 'stopHookActive' in event && event.stopHookActive && again.effect === 'deny'
  return fitToHost(
    uncounted ? allowStop(again, 'Stop allowed because blocked attempts cannot be counted') : again,
    context.can,
    unattendedMode(event),
  )
}

/** A skill whose start is not recorded would leave its guards off: the agent and the user must know at once. */
function lostSkillFinding(skill: string): Finding {
  const text = `Holdpoint could not record that the skill "${skill}" began, so its rules would not be enforced. Stop and tell the user to check disk space and the Holdpoint state folder.`
  return { hook: 'holdpoint/state', effect: 'deny', reason: text }
}
