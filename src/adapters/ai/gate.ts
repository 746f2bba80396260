import type { ToolSet } from 'ai'
import { createCallGate } from '../call-gate.ts'
import type { GuardContext } from '../judge-call.ts'
import type { Ask } from '../question.ts'
import { createRecent } from '../recent-calls.ts'
import { isApproved } from './approved.ts'
import { denied } from './denied.ts'
import { guardedCall } from './guarded-call.ts'
import type { Begun } from './release-output.ts'

type AnyTool = ToolSet[string]
type ExecuteOptions = Parameters<NonNullable<AnyTool['execute']>>[1]
type NeedsApproval = Exclude<AnyTool['needsApproval'], boolean | undefined>
type InputAvailable = Parameters<NonNullable<AnyTool['onInputAvailable']>>[0]

/** The parts of a tool through which a call reaches its checks. */
export interface ToolGate {
  onInputAvailable(options: InputAvailable): Promise<void>
  readonly needsApproval: NeedsApproval
  /** Throws if the call may not run. */
  begin(input: unknown, options: ExecuteOptions): Promise<Begun>
}

export function createToolGate(
  name: string,
  tool: AnyTool,
  context: GuardContext,
  ask: Ask | undefined,
): ToolGate {
  const gate = createCallGate(context, ask)
  const signals = createRecent<AbortSignal>()
  return {
    // The next call of `needsApproval` has no signal; this is called just before it.
    async onInputAvailable(options) {
      if (options.abortSignal !== undefined) signals.keep(options.toolCallId, options.abortSignal)
      await tool.onInputAvailable?.(options)
    },
    async needsApproval(input, options) {
      const { toolCallId, messages } = options
      const hasYes = isApproved(messages, toolCallId)
      const runsElsewhere = tool.execute === undefined
      const { verdict, isAsked } = await gate.before(guardedCall(name, tool, toolCallId, input), {
        signal: signals.take(toolCallId),
        hasYes,
        runsElsewhere,
        ownQuestion: (checked) => ownQuestion(tool, checked, options),
      })
      // A tool without `execute` can only be checked here: the program runs it as soon as it sees the call.
      if (runsElsewhere && verdict.kind === 'stop') throw denied(verdict.reason)
      // An approved call that is denied after all must reach `execute`, which gives the reason.
      return verdict.kind === 'stop' ? hasYes : isAsked
    },
    async begin(input, { toolCallId, messages, abortSignal: signal }) {
      const call = guardedCall(name, tool, toolCallId, input)
      const verdict = await gate.begin(call, { signal, hasYes: isApproved(messages, toolCallId) })
      if (verdict.kind === 'stop') throw denied(verdict.reason)
      const { texts, isRewritten } = verdict
      const running = isRewritten ? guardedCall(name, tool, toolCallId, verdict.input) : call
      return { call: running, texts, startedMs: performance.now(), signal }
    },
  }
}

function ownQuestion(
  tool: AnyTool,
  input: unknown,
  options: Parameters<NeedsApproval>[1],
): boolean | PromiseLike<boolean> {
  return typeof tool.needsApproval === 'function'
    ? tool.needsApproval(input, options)
    : tool.needsApproval === true
}
