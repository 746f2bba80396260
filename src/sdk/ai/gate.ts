import type { ToolSet } from 'ai'
import type { Ask } from '../question.ts'
import { untilAborted } from '../until-aborted.ts'
import { askedPerson, beforeApproval, isApproved } from './approval.ts'
import { denied } from './denied.ts'
import { type Desk, type GuardedCall, guardedCall, judgeBefore, type Verdict } from './judge-call.ts'
import type { Begun } from './release-output.ts'

type AnyTool = ToolSet[string]
type ExecuteOptions = Parameters<NonNullable<AnyTool['execute']>>[1]
type NeedsApproval = Exclude<AnyTool['needsApproval'], boolean | undefined>
type InputAvailable = Parameters<NonNullable<AnyTool['onInputAvailable']>>[0]

/**
 * What a call must pass before it runs. The SDK asks `needsApproval` first, so the call is judged there; what was found
 * waits for `begin`, which judges for itself where a tool is run alone.
 */
export interface Gate {
  onInputAvailable(options: InputAvailable): Promise<void>
  readonly needsApproval: NeedsApproval
  /** Throws where the call may not run. */
  begin(input: unknown, options: ExecuteOptions): Promise<Begun>
}

export function createGate(name: string, tool: AnyTool, desk: Desk, ask: Ask | undefined): Gate {
  const judged = createRecent<{ readonly text: string | undefined; readonly verdict: Verdict }>()
  const signals = createRecent<AbortSignal>()
  return {
    // The next question comes without a signal; this is called just before it.
    async onInputAvailable(options) {
      if (options.abortSignal !== undefined) signals.keep(options.toolCallId, options.abortSignal)
      await tool.onInputAvailable?.(options)
    },
    async needsApproval(input, options) {
      const signal = signals.take(options.toolCallId)
      const call = guardedCall(name, tool, options.toolCallId, input)
      const found = await untilAborted(judgeBefore(desk, call), signal)
      const { verdict, isAsked } = await beforeApproval(desk, ask, call, found, { ...options, signal })
      // Without `execute` there is no later moment: the program runs such a tool as soon as it sees the call.
      if (tool.execute === undefined && verdict.does === 'stop') throw denied(verdict.reason)
      judged.keep(call.toolCallId, { text: call.seen?.text, verdict })
      // An approved call that is stopped after all must get as far as `execute`, which says why.
      return verdict.does === 'stop' ? isApproved(options.messages, options.toolCallId) : isAsked
    },
    async begin(input, options) {
      const signal = options.abortSignal
      const call = guardedCall(name, tool, options.toolCallId, input)
      const known = judged.take(call.toolCallId)
      // The same call with another input is another call.
      const isSame = known !== undefined && known.text === call.seen?.text
      const found = isSame ? known.verdict : await untilAborted(judgeBefore(desk, call), signal)
      const verdict = found.does === 'ask' ? await answered(desk, ask, call, found, options) : found
      signal?.throwIfAborted()
      if (verdict.does === 'stop') throw denied(verdict.reason)
      const { texts, isRewritten } = verdict
      const running = isRewritten ? guardedCall(name, tool, call.toolCallId, verdict.input) : call
      return { call: running, texts, startedMs: performance.now(), signal }
    },
  }
}

async function answered(
  desk: Desk,
  ask: Ask | undefined,
  call: GuardedCall,
  verdict: Exclude<Verdict, { readonly does: 'stop' }>,
  { messages, abortSignal }: ExecuteOptions,
): Promise<Verdict> {
  if (isApproved(messages, call.toolCallId)) return verdict
  if (ask !== undefined) return await askedPerson(desk, ask, call, verdict, abortSignal)
  return { does: 'stop', reason: `${verdict.reason} Nobody could be asked.` }
}

/** What is known of a call between two questions of the SDK. One that nobody approves leaves it here, so the oldest go. */
function createRecent<Value>() {
  const kept = new Map<string, Value>()
  return {
    keep(toolCallId: string, value: Value) {
      kept.set(toolCallId, value)
      if (kept.size > RECENT_MAX) kept.delete(kept.keys().next().value ?? '')
    },
    take(toolCallId: string): Value | undefined {
      const value = kept.get(toolCallId)
      kept.delete(toolCallId)
      return value
    },
  }
}

const RECENT_MAX = 1_000
