import type { Answer } from '../decision.ts'

/** What every forbidden call is told first, word for word. */
export function forbiddenLine(tool: string): string {
  return `${tool} is forbidden for MUX orchestrator.`
}

/** For the model beside the short reason: how to have it done by somebody else. */
function protocolViolation(tool: string): string {
  return `PROTOCOL VIOLATION: ${forbiddenLine(tool)}

You must delegate this work via Task():

Task(
    prompt="Read agents/auditor.md. Analyze {file_path}...",
    subagent_type="general-purpose",
    model="sonnet",
    run_in_background=True
)`
}

export function forbid(tool: string, advice: string): Answer {
  return {
    effect: 'deny',
    reason: `${forbiddenLine(tool)} ${advice}`,
    context: [{ text: protocolViolation(tool), to: 'self' }],
  }
}

/** A value of the call as it may stand in a sentence. */
export function shown(value: string): string {
  const line = value.replace(/\s+/g, ' ')
  return `\`${line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}…` : line}\``
}

const SHOWN_MAX = 160
