import type { Decision, Reply } from '../../core/decision.ts'
import { describeProblem, type Problem } from '../../core/errors.ts'
import type { LastResort } from '../../core/host.ts'

/** `action` allow, or block with its reason. Everything else goes to standard error. */
export function encode(decision: Decision): Reply {
  const context = decision.context.filter(({ to }) => to === 'self').map(({ text }) => text)
  const halt = decision.halt === undefined ? [] : [decision.halt]
  const lines = [...context, ...decision.notices, ...halt]
  const blocks = decision.effect === 'deny' || decision.effect === 'ask'
  return say(blocks ? { action: 'block', reason: reasonOf(decision) } : { action: 'allow' }, lines)
}

export function refuse(problem: Problem, { effect }: LastResort): Reply {
  const text = `holdpoint: this could not be judged. ${describeProblem(problem)}`
  return effect === 'pass'
    ? say({ action: 'allow' }, [text])
    : { stdout: '', stderr: `${text}\n`, exitCode: 2 }
}

function reasonOf({ reasons, because }: Decision): string {
  const text = reasons.map((reason) => reason.text).join('\n')
  return text === '' ? `Stopped by Holdpoint (${because.join(', ')}).` : text
}

function say(body: object, lines: readonly string[]): Reply {
  const stderr = lines.map((line) => `${line}\n`).join('')
  return { stdout: `${JSON.stringify(body)}\n`, stderr, exitCode: 0 }
}
