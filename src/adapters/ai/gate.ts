import type { ToolSet } from 'ai'
import type { Ask } from '../question.ts'
import { untilAborted } from '../until-aborted.ts'
import { askedPerson, beforeApproval, isApproved } from './approval.ts'
import { denied } from './denied.ts'
import {
  type CallVerdict,
  type GuardContext,
  type GuardedCall,
  guardedCall,
  judgeBefore,
  type Said,
  stopped,
} from './judge-call.ts'
import type { Begun } from './release-output.ts'

type AnyTool = ToolSet[string]
type ExecuteOptions = Parameters<NonNullable<AnyTool['execute']>>[1]
type NeedsApproval = Exclude<AnyTool['needsApproval'], boolean | undefined>
type InputAvailable = Parameters<NonNullable<AnyTool['onInputAvailable']>>[0]

/**
 * What a call must pass before it runs. The SDK calls `needsApproval` first, so the call is checked there,
 * and the result is kept for `begin`. If a tool is run without the SDK's loop, `begin` checks the call
 * itself.
 */
export interface CallGate {
  onInputAvailable(options: InputAvailable): Promise<void>
  readonly needsApproval: NeedsApproval
  /** Throws if the call may not run. */
  begin(input: unknown, options: ExecuteOptions): Promise<Begun>
}

export function createCallGate(
  name: string,
  tool: AnyTool,
  context: GuardContext,
  ask: Ask | undefined,
): CallGate {
  const judged = createRecent<Judgement>()
  const signals = createRecent<AbortSignal>()
  return {
    // The next call of `needsApproval` has no signal; this is called just before it.
    async onInputAvailable(options) {
      if (options.abortSignal !== undefined) signals.keep(options.toolCallId, options.abortSignal)
      await tool.onInputAvailable?.(options)
    },
    async needsApproval(input, options) {
      const signal = signals.take(options.toolCallId)
      const call = guardedCall(name, tool, options.toolCallId, input)
      const hasYes = isApproved(options.messages, call.toolCallId)
      // The same call was checked before, if the user had to be asked meanwhile.
      const earlier = hasYes ? sameCall(judged.take(call.toolCallId), call) : undefined
      const found = await untilAborted(judgeBefore(context, call), signal)
      notifyOf(context, found, earlier?.verdict)
      const { verdict, isAsked } = await beforeApproval(context, ask, call, found, {
        ...options,
        signal,
        hasYes,
      })
      const isWaiting = isAsked && !hasYes
      if (isWaiting || tool.execute !== undefined) {
        judged.keep(call.toolCallId, { text: call.seen?.text, verdict, isAsked })
      }
      if (!isWaiting) send(context, verdict)
      // A tool without `execute` can only be checked here: the program runs it as soon as it sees the call.
      if (tool.execute === undefined && verdict.kind === 'stop') throw denied(verdict.reason)
      // An approved call that is denied after all must reach `execute`, which gives the reason.
      if (verdict.kind === 'stop') return hasYes
      // The SDK ignores an approval that is no longer needed; a hook may ask only once.
      return isAsked || earlier?.isAsked === true
    },
    async begin(input, options) {
      const signal = options.abortSignal
      const call = guardedCall(name, tool, options.toolCallId, input)
      // The same call with another input is a different call.
      const known = sameCall(judged.take(call.toolCallId), call)
      const found = known?.verdict ?? (await untilAborted(judgeBefore(context, call), signal))
      if (known === undefined) {
        notifyOf(context, found)
        send(context, found)
      }
      signal?.throwIfAborted()
      const verdict = found.kind === 'ask' ? await answered(context, ask, call, found, options) : found
      signal?.throwIfAborted()
      if (verdict.kind === 'stop') throw denied(verdict.reason)
      const { texts, isRewritten } = verdict
      const running = isRewritten ? guardedCall(name, tool, call.toolCallId, verdict.input) : call
      return { call: running, texts, startedMs: performance.now(), signal }
    },
  }
}

interface Judgement {
  readonly text: string | undefined
  readonly verdict: CallVerdict
  /** The SDK was told to ask the user. */
  readonly isAsked: boolean
}

function sameCall(known: Judgement | undefined, { seen }: GuardedCall): Judgement | undefined {
  return known?.text === seen?.text ? known : undefined
}

/** A call may be checked several times; its notices are shown once. */
function notifyOf(context: GuardContext, { notices }: Said, earlier?: Said): void {
  for (const notice of notices) if (earlier?.notices.includes(notice) !== true) context.notify(notice)
}

function send(context: GuardContext, { messages }: Said): void {
  for (const message of messages) context.courier.send(message)
}

async function answered(
  context: GuardContext,
  ask: Ask | undefined,
  call: GuardedCall,
  verdict: Exclude<CallVerdict, { readonly kind: 'stop' }>,
  { messages, abortSignal }: ExecuteOptions,
): Promise<CallVerdict> {
  if (isApproved(messages, call.toolCallId)) return verdict
  if (ask !== undefined) return await askedPerson(context, ask, call, verdict, abortSignal)
  return stopped(verdict, `${verdict.reason} The user could not be asked.`)
}

/**
 * What is known about a call between two calls of the SDK. A call that is never approved stays here, so the
 * oldest are dropped.
 */
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
