import type { Answer } from '../../core/decision.ts'
import type { ToolCall } from '../../core/event.ts'

/** The three lines of debug mode: the call, the result of the hook, and the decision. */
function debugLines(tool: ToolCall, answer: Answer | null): readonly string[] {
  const blocks = answer?.effect === 'deny' || answer?.effect === 'ask'
  const action = blocks ? 'block' : 'allow'
  const result = blocks ? { action, reason: answer.reason ?? '' } : { action }
  return [
    `PreToolUse: tool call intercepted: ${tool.name} ${cut(JSON.stringify(tool.input))}`,
    `PreToolUse: hook evaluation result: ${cut(JSON.stringify(result))}`,
    `PreToolUse: decision: ${action}`,
  ]
}

/** The answer with these lines added, in debug mode. */
export function withDebugLines(tool: ToolCall | undefined, answer: Answer | null): Answer | null {
  if (tool === undefined) return answer
  const lines = debugLines(tool, answer)
  return { ...(answer ?? { effect: 'pass' }), notices: [...(answer?.notices ?? []), ...lines] }
}

const TEXT_MAX = 400

function cut(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text
}
