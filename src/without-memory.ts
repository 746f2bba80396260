import { combine } from './combine.ts'
import type { Decision, Failure, Finding } from './decision.ts'
import type { Desk } from './desk.ts'
import type { Event } from './event.ts'
import { fitToHost } from './fit-to-host.ts'
import { failedAfterwards } from './run.ts'
import type { Commit } from './state/state.ts'
import { letGo } from './stop-budget.ts'

/** The state could not be kept: what hooks wanted to remember is lost, and each hook's policy says what that means. */
export function withoutMemory(decision: Decision, commit: Commit, event: Event, desk: Desk): Decision {
  const failure: Failure = { failure: 'state', message: 'what it must remember could not be stored' }
  const findings = decision.findings.map((finding): Finding => {
    const wanted = decision.effect === 'deny' ? finding.rememberDenied : finding.remember
    const hook = desk.engine.hooks[finding.order % desk.engine.hooks.length]
    return wanted === undefined || wanted.length === 0 || hook === undefined
      ? finding
      : failedAfterwards(hook, finding, failure)
  })
  const lostSkill = commit.changes.find((change) => change.do === 'skill' && change.active)
  const told = lostSkill === undefined || lostSkill.do !== 'skill' ? [] : [lostSkillFinding(lostSkill.name)]
  const again = combine([...findings, ...told])
  // A stop that was held before and cannot be counted would be held for ever.
  const uncounted = 'stopHookActive' in event && event.stopHookActive && again.effect === 'deny'
  return fitToHost(
    uncounted ? letGo(again, 'Let go because it cannot be counted how often it was held') : again,
    desk.can,
  )
}

/** A skill whose start is forgotten would leave its guards off: the agent and the person must know at once. */
function lostSkillFinding(skill: string): Finding {
  const text = `Holdpoint could not record that the skill "${skill}" began, so its rules would not be enforced. Stop and tell the user to check disk space and the Holdpoint state folder.`
  return { hook: 'holdpoint/state', order: Number.MAX_SAFE_INTEGER, effect: 'deny', reason: text }
}
