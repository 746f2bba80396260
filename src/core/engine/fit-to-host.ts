import type { Decision, Effect } from '../decision.ts'
import type { Abilities } from '../host.ts'
import { NO_OPINION } from './combine.ts'

/**
 * Changes a decision to what a host can enforce at an event: the nearest stricter effect, never a weaker one without a
 * notice. `encode` then only writes the result. `unattended` is the mode in which this agent asks no questions, whatever
 * it supports otherwise.
 */
/** Before the reason of a deny that the agent would not obey. */
export const ONLY_A_WARNING = 'This agent does not let hooks block this event, so this is only a warning:'

export function fitToHost(decision: Decision, can: Abilities, unattended?: string): Decision {
  if (decision === NO_OPINION) return decision
  const downgraded: string[] = []
  const notices = [...decision.notices]
  let { effect, reasons } = decision
  const rewrite = decision.rewrite

  if (rewrite !== undefined && effect !== 'deny' && !canRewrite(can, effect)) {
    downgraded.push('rewrite to deny: this agent can only change a call that a hook allowed')
    const text = `This call may only run with a changed input. Call the tool again with exactly this input: ${JSON.stringify(rewrite)}`
    reasons = [{ hook: rewriterOf(decision), text }]
    effect = 'deny'
  }
  const isQuestion = effect === 'ask'
  if (effect === 'ask' && unattended !== undefined && can.deny) {
    downgraded.push(`ask to deny: no user is asked in the mode ${unattended}`)
    reasons = reasons.map((reason) => ({ ...reason, text: `${reason.text} ${noUserIn(unattended)}` }))
    effect = 'deny'
  }
  if (effect === 'ask' && !can.ask) {
    downgraded.push('ask to deny: this agent cannot ask at this event')
    effect = 'deny'
  }
  if (isQuestion && effect === 'deny') notices.push(...reasons.flatMap(({ ifDenied }) => ifDenied ?? []))
  if (effect === 'allow' && !can.allow) effect = 'pass'
  if (effect === 'deny' && !can.deny) {
    downgraded.push('deny to notice: this agent does not let hooks block this event')
    notices.push(...reasons.map((reason) => `${ONLY_A_WARNING} ${reason.text}`))
    effect = 'pass'
  }
  if (decision.output !== undefined && !can.output) {
    downgraded.push('output: this agent cannot replace a tool output at this event')
  }
  const { rewrite: _rewrite, output: _output, ...rest } = decision
  return {
    ...rest,
    effect,
    reasons,
    notices,
    ...(rewrite !== undefined && effect !== 'deny' ? { rewrite } : {}),
    ...(decision.output !== undefined && can.output ? { output: decision.output } : {}),
    ...(downgraded.length === 0 ? {} : { downgraded }),
  }
}

/** Else the agent would take a question for a rule. */
function noUserIn(mode: string): string {
  return `The user could allow this, but cannot be asked here (mode ${mode}), so it was denied: tell the user what you need.`
}

function canRewrite(can: Abilities, effect: Effect): boolean {
  return can.rewrite === true || (can.rewrite === 'with-allow' && effect === 'allow')
}

function rewriterOf(decision: Decision): string {
  return decision.findings.findLast((finding) => finding.rewrite !== undefined)?.hook ?? 'holdpoint'
}
