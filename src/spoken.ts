import type { Decision } from './decision.ts'
import { describeProblem } from './errors.ts'
import type { Event } from './event.ts'
import { pausedNow } from './exceptions.ts'
import type { LoadedPlan } from './load-plan.ts'
import type { Plan } from './plan.ts'
import { redact } from './redact.ts'

/** What leaves the house is masked, and a broken configuration is said where a person will see it. */
export function spoken(
  decision: Decision,
  loaded: LoadedPlan,
  event: Event,
  now: Date,
  tellsAlways: boolean,
): Decision {
  const tell = tellsAlways || event.kind === 'SessionStart' || event.kind === 'UserPromptSubmit'
  const problems = tell
    ? [...loaded.broken, ...loaded.plan.problems.filter((each) => each.severity !== 'warning')]
    : []
  const notices = [
    ...decision.notices,
    ...(event.kind === 'SessionStart' ? pauseNotices(loaded.plan, now) : []),
    ...problems.map((problem) => `Holdpoint configuration: ${describeProblem(problem)}`),
  ]
  const reasons = decision.reasons.map((reason) => ({ ...reason, text: redact(reason.text, loaded.maskers) }))
  return { ...decision, reasons, notices: notices.map((text) => redact(text, loaded.maskers)) }
}

/** A window that somebody opened must not be forgotten. */
function pauseNotices(plan: Plan, now: Date): readonly string[] {
  const paused = pausedNow(plan.hooks, now.getTime())
  if (paused === undefined) return []
  const until = new Date(paused.untilMs).toISOString()
  return [
    `Holdpoint is paused until ${until}: ${paused.packs.join(', ')} judge nothing. \`holdpoint pause --end\` ends it.`,
  ]
}
