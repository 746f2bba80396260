import type { Decision, Reply } from '../../core/decision.ts'
import { describeProblem, type Problem } from '../../core/errors.ts'
import type { Event } from '../../core/event.ts'
import type { LastResort } from '../../core/host.ts'
import { COLLECTIVE_EVENTS } from './abilities.ts'

/**
 * Four answers: allow, block with a reason, warn with a message, fail with an error. What a person should read goes
 * to standard error as well.
 */
export function encode(decision: Decision, event: Event): Reply {
  const can = COLLECTIVE_EVENTS[event.kind]
  const blocks = can?.deny === true && decision.effect === 'deny'
  const reason = blocks ? reasonOf(decision) : undefined
  const stderr = [...(reason === undefined ? [] : [reason]), ...decision.notices, ...haltOf(decision)]
  const texts = decision.context.filter(({ to }) => to === 'self').map(({ text }) => text)
  const additions =
    can?.context === true && texts.length > 0
      ? { hookSpecificOutput: { hookEventName: event.kind, additionalContext: texts.join('\n\n') } }
      : {}
  return say({ ...answerOf(decision, reason), ...additions }, stderr)
}

function answerOf({ halt, notices }: Decision, reason: string | undefined): object {
  if (halt !== undefined) return { decision: 'fail', error: reason ?? halt }
  if (reason !== undefined) return { decision: 'block', reason }
  return notices.length === 0 ? { decision: 'allow' } : { decision: 'warn', message: notices.join('\n') }
}

function haltOf({ halt, notices }: Decision): readonly string[] {
  return halt === undefined || notices.includes(halt) ? [] : [halt]
}

/** Unreadable input is logged and continues; readable but invalid input is blocked and reported. */
export function collectiveLastResort({ code }: Problem): 'deny' | 'pass' | undefined {
  if (code === 'PAYLOAD_FIELD') return 'deny'
  return code.startsWith('PAYLOAD_') ? 'pass' : undefined
}

export function refuse(problem: Problem, { effect }: LastResort): Reply {
  const text = `holdpoint: this could not be judged. ${describeProblem(problem)}`
  return effect === 'pass'
    ? say({ decision: 'allow' }, [text])
    : { stdout: '', stderr: `${text}\n`, exitCode: 2 }
}

/** With the rule that decided, so that a user can find it. */
function reasonOf(decision: Decision): string {
  const text = decision.reasons
    .map(({ text: why, guard }) => (guard === undefined ? why : `${why} [${guard}]`))
    .join('\n')
  return text === '' ? `Stopped by Holdpoint (${decision.because.join(', ')}).` : text
}

function say(body: object, lines: readonly string[]): Reply {
  return {
    stdout: `${JSON.stringify(body)}\n`,
    stderr: lines.map((line) => `${line}\n`).join(''),
    exitCode: 0,
  }
}
