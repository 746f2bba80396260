import type { Decision, Reply } from '../../core/decision.ts'
import { describeProblem, type Problem } from '../../core/errors.ts'
import type { LastResort } from '../../core/host.ts'

/**
 * `permissionDecision` with allow, deny or askFirst, both where the document puts it and where its later scripts do;
 * `{}` is no opinion.
 */
export function encode(decision: Decision): Reply {
  const context = decision.context.filter(({ to }) => to === 'self').map(({ text }) => text)
  const spoken = permission(decision)
  const specific = {
    ...spoken,
    ...(context.length === 0 ? {} : { additionalContext: context.join('\n\n') }),
  }
  const body = {
    ...(decision.halt === undefined ? {} : { continue: false, stopReason: decision.halt }),
    ...spoken,
    ...(Object.keys(specific).length === 0
      ? {}
      : { hookSpecificOutput: { hookEventName: 'PreToolUse', ...specific } }),
    ...(decision.notices.length === 0 ? {} : { systemMessage: decision.notices.join('\n') }),
  }
  return say(body, decision.notices)
}

export function refuse(problem: Problem, { effect }: LastResort): Reply {
  const text = `holdpoint: this could not be judged. ${describeProblem(problem)}`
  return effect === 'pass' ? say({}, [text]) : { stdout: '', stderr: `${text}\n`, exitCode: 2 }
}

const WORDS = { allow: 'allow', ask: 'askFirst', deny: 'deny' } as const

function permission(decision: Decision): object {
  const { effect, reasons, because } = decision
  if (effect === 'pass') return {}
  const text = reasons.map((reason) => reason.text).join('\n')
  const said = text === '' ? `Decided by Holdpoint (${because.join(', ')}).` : text
  return { permissionDecision: WORDS[effect], permissionDecisionReason: said }
}

function say(body: object, lines: readonly string[]): Reply {
  const stderr = lines.map((line) => `${line}\n`).join('')
  return { stdout: `${JSON.stringify(body)}\n`, stderr, exitCode: 0 }
}
