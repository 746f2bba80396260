import type { ToolSet } from 'ai'
import type { Ask } from '../question.ts'
import { untilAborted } from '../until-aborted.ts'
import { askedPerson, beforeApproval, isApproved } from './approval.ts'
import { denied } from './denied.ts'
import {
  type Desk,
  type GuardedCall,
  guardedCall,
  judgeBefore,
  type Said,
  stopped,
  type Verdict,
} from './judge-call.ts'
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
  const judged = createRecent<Judgement>()
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
      const hasYes = isApproved(options.messages, call.toolCallId)
      // The same call was judged before, if a person had to be asked meanwhile.
      const earlier = hasYes ? sameCall(judged.take(call.toolCallId), call) : undefined
      const found = await untilAborted(judgeBefore(desk, call), signal)
      notifyOf(desk, found, earlier?.verdict)
      const { verdict, isAsked } = await beforeApproval(desk, ask, call, found, {
        ...options,
        signal,
        hasYes,
      })
      const isWaiting = isAsked && !hasYes
      if (isWaiting || tool.execute !== undefined) {
        judged.keep(call.toolCallId, { text: call.seen?.text, verdict, isAsked })
      }
      if (!isWaiting) send(desk, verdict)
      // Without `execute` there is no later moment: the program runs such a tool as soon as it sees the call.
      if (tool.execute === undefined && verdict.does === 'stop') throw denied(verdict.reason)
      // An approved call that is stopped after all must get as far as `execute`, which says why.
      if (verdict.does === 'stop') return hasYes
      // To the SDK a yes counts only where it is still needed; a hook may ask once and be content with that.
      return isAsked || earlier?.isAsked === true
    },
    async begin(input, options) {
      const signal = options.abortSignal
      const call = guardedCall(name, tool, options.toolCallId, input)
      // The same call with another input is another call.
      const known = sameCall(judged.take(call.toolCallId), call)
      const found = known?.verdict ?? (await untilAborted(judgeBefore(desk, call), signal))
      if (known === undefined) {
        notifyOf(desk, found)
        send(desk, found)
      }
      signal?.throwIfAborted()
      const verdict = found.does === 'ask' ? await answered(desk, ask, call, found, options) : found
      signal?.throwIfAborted()
      if (verdict.does === 'stop') throw denied(verdict.reason)
      const { texts, isRewritten } = verdict
      const running = isRewritten ? guardedCall(name, tool, call.toolCallId, verdict.input) : call
      return { call: running, texts, startedMs: performance.now(), signal }
    },
  }
}

interface Judgement {
  readonly text: string | undefined
  readonly verdict: Verdict
  /** The SDK was told to ask a person. */
  readonly isAsked: boolean
}

function sameCall(known: Judgement | undefined, { seen }: GuardedCall): Judgement | undefined {
  return known?.text === seen?.text ? known : undefined
}

/** A person hears once what hooks say each time they judge a call. */
function notifyOf(desk: Desk, { notices }: Said, earlier?: Said): void {
  for (const notice of notices) if (earlier?.notices.includes(notice) !== true) desk.notify(notice)
}

function send(desk: Desk, { messages }: Said): void {
  for (const message of messages) desk.courier.send(message)
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
  return stopped(verdict, `${verdict.reason} Nobody could be asked.`)
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
