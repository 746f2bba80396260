import { NO_OPINION } from './combine.ts'
import type { Decision, Effect } from './decision.ts'
import type { Abilities } from './hosts/host.ts'

/**
 * A decision made to fit what a host can enforce at an event: the nearest stricter effect it has, never a weaker
 * one without saying so. Encode then only spells; it does not improvise.
 */
export function fitToHost(decision: Decision, can: Abilities): Decision {
  if (decision === NO_OPINION) return decision
  const downgraded: string[] = []
  const notices = [...decision.notices]
  let { effect, reasons } = decision
  const rewrite = decision.rewrite

  if (rewrite !== undefined && effect !== 'deny' && !canRewrite(can, effect)) {
    downgraded.push('rewrite to deny: this agent cannot change a call that was not granted')
    const text = `This call may only run changed. Make it again with exactly this input: ${JSON.stringify(rewrite)}`
    reasons = [{ hook: rewriterOf(decision), text }]
    effect = 'deny'
  }
  if (effect === 'ask' && !can.ask) {
    downgraded.push('ask to deny: this agent cannot ask at this event')
    effect = 'deny'
  }
  if (effect === 'allow' && !can.allow) effect = 'pass'
  if (effect === 'deny' && !can.deny) {
    downgraded.push('deny to notice: this agent cannot be stopped at this event')
    notices.push(...reasons.map((reason) => `Cannot be stopped here, only told: ${reason.text}`))
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

function canRewrite(can: Abilities, effect: Effect): boolean {
  return can.rewrite === true || (can.rewrite === 'with-allow' && effect === 'allow')
}

function rewriterOf(decision: Decision): string {
  return decision.findings.findLast((finding) => finding.rewrite !== undefined)?.hook ?? 'holdpoint'
}
