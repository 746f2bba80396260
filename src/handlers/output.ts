import { type Answer, type Failure, isFailure } from '../core/decision.ts'
import type { Event } from '../core/event.ts'
import { readAnswer } from './read-answer.ts'
import type { Protocol } from './spelling.ts'

/** The result of a finished program. */
export interface ProgramOutput {
  readonly stdout: string
  readonly stderr: string
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** True if it was killed at its deadline. */
  readonly stopped?: boolean
}

/**
 * Turns a program's exit code and output into an answer. Exit 2 denies whatever was printed. Text that is not JSON is
 * context at the events where hosts treat it so, and a failure elsewhere: a stack trace does not mean "continue".
 */
export function readOutput(output: ProgramOutput, event: Event, protocol: Protocol): Answer | Failure | null {
  const text = output.stdout.trim()
  const isWord = protocol === 'massgen' && MASSGEN_WORDS.has(text)
  const parsed = text.startsWith('{') || isWord ? readText(text, protocol) : undefined
  if (output.exitCode === 2) return denied(parsed, output)
  if (output.exitCode !== 0) {
    const stricter = parsed !== undefined && !isFailure(parsed) && isStrict(parsed)
    if (stricter) return parsed
    const failure = output.stopped === true ? 'timeout' : 'crash'
    return { failure, message: howItEnded(output) }
  }
  if (parsed !== undefined) return parsed
  if (text === '') return null
  if (CONTEXT_AS_TEXT.has(event.kind)) return { effect: 'pass', context: [{ text, to: 'self' }] }
  return {
    failure: 'invalidOutput',
    message: `printed text that is not JSON (${JSON.stringify(text.slice(0, 60))}); print an answer or nothing, and log to standard error`,
  }
}

const CONTEXT_AS_TEXT: ReadonlySet<string> = new Set([
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
])

/** What permission hooks of MassGen print for yes, no and "continue". */
const MASSGEN_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null'])

function readText(text: string, protocol: Protocol): Answer | Failure | null {
  try {
    const value: unknown = JSON.parse(text)
    return readAnswer(value, { kind: 'program', protocol })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { failure: 'invalidOutput', message: `printed broken JSON: ${why.slice(0, 120)}` }
  }
}

function denied(parsed: Answer | Failure | null | undefined, output: ProgramOutput): Answer {
  const said = parsed === undefined || parsed === null || isFailure(parsed) ? undefined : parsed.reason
  const reason = said ?? (output.stderr.trim() || 'The hook exited with code 2 and gave no reason.')
  const base = parsed === undefined || parsed === null || isFailure(parsed) ? {} : parsed
  return { ...base, effect: 'deny', reason }
}

function isStrict(answer: Answer | null): answer is Answer {
  return answer !== null && (answer.effect === 'deny' || answer.effect === 'ask')
}

function howItEnded(output: ProgramOutput): string {
  const how =
    output.exitCode === null
      ? `was ended by ${output.signal ?? 'a signal'}`
      : `exited with code ${output.exitCode}`
  const last = output.stderr.trim().split('\n').at(-1) ?? ''
  return last === '' ? how : `${how}: ${last.slice(0, 200)}`
}
