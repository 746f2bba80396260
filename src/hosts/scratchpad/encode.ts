import type { Decision, Reply } from '../../core/decision.ts'
import { describeProblem, type Problem } from '../../core/errors.ts'
import type { Event } from '../../core/event.ts'
import type { LastResort } from '../../core/host.ts'
import { SCRATCHPAD_EVENTS } from './abilities.ts'

/**
 * The protocol has three answers: `{}`, a block with its reason, and context. Everything else that a user should know
 * goes to standard error.
 */
export function encode(decision: Decision, event: Event): Reply {
  const can = SCRATCHPAD_EVENTS[event.kind]
  const halt = decision.halt === undefined ? [] : [decision.halt]
  const stderr = [...decision.notices, ...halt].map((text) => `${text}\n`).join('')
  if (can?.deny === true && decision.effect === 'deny') {
    return say({ decision: 'block', reason: reasonOf(decision) }, stderr)
  }
  const texts = decision.context.filter(({ to }) => to === 'self').map(({ text }) => text)
  if (can?.context !== true || texts.length === 0) return say({}, stderr)
  const additionalContext = texts.join('\n\n')
  return say({ hookSpecificOutput: { hookEventName: event.kind, additionalContext } }, stderr)
}

/** An error of the script passes; only a caller that asks for a deny gets one. */
export function refuse(problem: Problem, { effect }: LastResort): Reply {
  const text = `holdpoint: this could not be judged. ${describeProblem(problem)}\n`
  return effect === 'pass' ? say({}, text) : { stdout: '', stderr: text, exitCode: 2 }
}

function reasonOf(decision: Decision): string {
  const text = decision.reasons.map((reason) => reason.text).join('\n')
  return text === '' ? `Stopped by Holdpoint (${decision.because.join(', ')}).` : text
}

function say(body: object, stderr: string): Reply {
  return { stdout: `${JSON.stringify(body)}\n`, stderr, exitCode: 0 }
}
