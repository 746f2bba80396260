import type { JsonObject } from '../core/json.ts'
import type { AnswerShape } from './dialect.ts'

/** Shapes of replies that several agents share. */

/** Below `hookSpecificOutput`, where Claude Code has its own. */
export function specific<Value>(fields: (value: Value) => JsonObject): AnswerShape<Value> {
  return (value, name) => ({ hookSpecificOutput: { hookEventName: name, ...fields(value) } })
}

export const DENY_BY_PERMISSION = specific((reason: string) => ({
  permissionDecision: 'deny',
  permissionDecisionReason: reason,
}))

export const ASK_BY_PERMISSION = specific((reason: string) => ({
  permissionDecision: 'ask',
  permissionDecisionReason: reason,
}))

export const UPDATED_INPUT = specific((updatedInput: JsonObject) => ({ updatedInput }))

export const ADDITIONAL_CONTEXT = specific((additionalContext: string) => ({ additionalContext }))

export const BLOCK: AnswerShape<string> = (reason) => ({ decision: 'block', reason })

export const DENY: AnswerShape<string> = (reason) => ({ decision: 'deny', reason })
