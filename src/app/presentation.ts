import type { Decision } from '../core/decision.ts'
import { describeProblem } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import { isAllowNotice, pausedNow } from '../core/exceptions.ts'
import { isObject, type Json } from '../core/json.ts'
import type { Plan } from '../core/plan/plan.ts'
import { redact } from '../core/redact/redact.ts'
import type { NotedHole } from '../storage/journal/holes.ts'
import type { LoadedPlan } from './load-plan.ts'

export interface PresentOptions {
  /** The host shows problems at every event. */
  readonly tellsAlways?: boolean
  readonly holes?: readonly NotedHole[]
  /** What is to be said about the policy of the fleet. */
  readonly fleet?: readonly string[]
}

/**
 * Masks secrets in everything that is sent to the host, and adds problems of the configuration as notices for
 * the user.
 */
export function presentDecision(
  decision: Decision,
  loaded: LoadedPlan,
  event: Event,
  now: Date,
  { tellsAlways = false, holes = [], fleet = [] }: PresentOptions = {},
): Decision {
  const tell = tellsAlways || event.kind === 'SessionStart' || event.kind === 'UserPromptSubmit'
  // Most calls: nothing to mask, nothing to add.
  if (!tell && decision.reasons.length === 0 && decision.notices.length === 0) return decision
  const problems = tell
    ? [...loaded.broken, ...loaded.plan.problems.filter((each) => each.severity !== 'warning')]
    : []
  const notices = [
    ...allowedNotices(decision, loaded.plan),
    ...(event.kind === 'SessionStart' ? pauseNotices(loaded.plan, now) : []),
    ...holeNotices(holes),
    ...fleet,
    ...problems.map((problem) => `Holdpoint configuration: ${describeProblem(problem)}`),
  ]
  const reasons = decision.reasons.map(({ question, ...reason }) => ({
    ...reason,
    text: redact(reason.text, loaded.maskers),
    ...(question === undefined ? {} : { question: redact(question, loaded.maskers) }),
  }))
  return { ...decision, reasons, notices: notices.map((text) => redact(text, loaded.maskers)) }
}

/** Unsigned entries are recorded at every event, because they may be removed before the user is notified. */
export function withUnsigned(decision: Decision, { broken }: LoadedPlan): Decision {
  const told = broken
    .filter(({ code }) => code === 'UNSIGNED_ENTRY')
    .map((problem) => `Holdpoint configuration: ${describeProblem(problem)}`)
    .filter((text) => !decision.notices.includes(text))
  return told.length === 0 ? decision : { ...decision, notices: [...decision.notices, ...told] }
}

/**
 * Says once how to allow a call, and only if that can work: every deciding finding has a code, and the journal, in which
 * `allow` looks the code up, is on.
 */
function allowedNotices({ notices, findings, effect }: Decision, plan: Plan): readonly string[] {
  const deciding = findings.filter((finding) => finding.effect === effect)
  const canWork = plan.settings.journal.enabled && deciding.every(({ detail }) => hasCode(detail))
  const first = notices.find(isAllowNotice)
  return notices.filter(
    (notice, index) =>
      !isAllowNotice(notice) || (canWork && notices.indexOf(notice) === index && notice === first),
  )
}

function hasCode(detail: Json | undefined): boolean {
  return detail !== undefined && isObject(detail) && typeof detail.code === 'string'
}

/** The user should not forget a pause. */
function pauseNotices(plan: Plan, now: Date): readonly string[] {
  const paused = pausedNow(plan.hooks, now.getTime())
  if (paused === undefined) return []
  const until = new Date(paused.untilMs).toISOString()
  return [
    `Holdpoint is paused until ${until}: these packs are off: ${paused.packs.join(', ')}. To end the pause, run \`holdpoint pause --end\`.`,
  ]
}

/** Calls of an earlier session that ran without a hook. Shown until the user has looked at them with `audit`. */
function holeNotices(holes: readonly NotedHole[]): readonly string[] {
  const last = holes.at(-1)
  if (last === undefined) return []
  const { missed, ran, ranAlthoughDenied, session, at } = last
  const denied = ranAlthoughDenied === 0 ? '' : `, and ${ranAlthoughDenied} ran although they were denied`
  const more = holes.length > 1 ? ` ${holes.length - 1} earlier sessions have the same problem.` : ''
  return [
    `In session ${session.slice(0, 40)}, which ended at ${at.slice(0, 16).replace('T', ' ')}, Holdpoint was not asked about ${missed} of ${ran} calls${denied}.${more} Run \`holdpoint audit\` to see them.`,
  ]
}
