import { isObject, type Json } from '../../core/json.ts'
import type { GuardedCall } from '../judge-call.ts'
import { type AcceptedInput, seenInput, writtenValue } from '../judged-input.ts'

/** A call of a function tool. */
export function functionCall(name: string, toolCallId: string, input: unknown): GuardedCall {
  const seen = seenInput(input)
  return {
    name,
    toolCallId,
    input,
    seen,
    // The tool's own schema is checked when it runs.
    accept: (rewrite) => ({ value: seen === undefined ? rewrite : writtenValue(seen, rewrite) }),
  }
}

/** A call that starts another agent, as a tool or by a handoff: hooks see it as they do in every other host. */
export function agentCall(agent: string, toolCallId: string, input: unknown): GuardedCall {
  const given = isObject(input) ? input : typeof input === 'string' && input !== '' ? { input } : {}
  return {
    name: 'Agent',
    toolCallId,
    input,
    seen: seenInput({ ...given, [STARTED]: agent }),
    accept({ [STARTED]: started, ...rest }): AcceptedInput {
      if (started !== agent) return { wrong: `\`${STARTED}\` cannot be changed; it is ${agent}.` }
      return { value: isObject(input) ? rest : (rest.input ?? input) }
    },
  }
}

const STARTED = 'subagent_type'

/** The arguments of a call as a value. A text that is not JSON is passed as it is. */
export function readArguments(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** The arguments for the tool: as the model wrote them, unless hooks changed them. */
export function writtenArguments(text: string, { isRewritten, input }: ChangedInput): string {
  if (!isRewritten) return text
  const wasText = typeof readArguments(text) === 'string' && !text.startsWith('"')
  return wasText && typeof input === 'string' ? input : JSON.stringify(input)
}

interface ChangedInput {
  readonly isRewritten: boolean
  readonly input: unknown
}
