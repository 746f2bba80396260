import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'

/** The event as Claude Code sends it: `hook_event_name`, `tool_name`, `tool_input` and more. */
export type HookEvent = JsonObject

/** Nothing, or one of these. */
export type ScriptAnswer =
  | { readonly deny: string }
  /** Only at PreToolUse: the user decides. Elsewhere it blocks. */
  | { readonly ask: string }
  /** Text for the agent. */
  | { readonly context: string }

/** What your script prints, and its exit code. */
export interface HookReply {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: 0 | 2
}

const NO_OPINION: HookReply = { stdout: '', stderr: '', exitCode: 0 }

/**
 * Answers one event. Input that cannot be read, and an error in your function, deny: a guard that cannot answer must
 * not let the call through.
 *
 * @example
 * const reply = await answerEvent(readFileSync(0, 'utf8'), ({ tool_input }) =>
 *   String(tool_input.command).includes('--force') ? { deny: 'Do not force-push.' } : undefined,
 * )
 * process.stdout.write(reply.stdout)
 * process.stderr.write(reply.stderr)
 * process.exitCode = reply.exitCode
 */
export async function answerEvent(
  text: string,
  decide: (event: HookEvent) => ScriptAnswer | undefined | Promise<ScriptAnswer | undefined>,
): Promise<HookReply> {
  const event = eventIn(text)
  if (event === undefined) return denied('The event on standard input is not a JSON object.')
  try {
    const answer = await decide(event)
    return answer === undefined ? NO_OPINION : replyOf(answer, event)
  } catch (error) {
    return denied(`The hook failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function eventIn(text: string): HookEvent | undefined {
  try {
    const value: Json = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function replyOf(answer: ScriptAnswer, event: HookEvent): HookReply {
  const name = textAt(event, 'hook_event_name') ?? ''
  if ('context' in answer) return said({ hookEventName: name, additionalContext: answer.context })
  if ('ask' in answer && name === 'PreToolUse')
    return said({ hookEventName: name, permissionDecision: 'ask', permissionDecisionReason: answer.ask })
  return denied('ask' in answer ? answer.ask : answer.deny)
}

function said(hookSpecificOutput: JsonObject): HookReply {
  return { ...NO_OPINION, stdout: `${JSON.stringify({ hookSpecificOutput })}\n` }
}

/** Exit code 2 blocks every event that can be blocked, on every agent that has such hooks. */
function denied(reason: string): HookReply {
  return { stdout: '', stderr: `${reason}\n`, exitCode: 2 }
}
