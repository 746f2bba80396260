import { type ApprovalOptions, answered, asTheUserSawIt, beforeApproval } from './approval.ts'
import {
  type CallVerdict,
  type GuardContext,
  type GuardedCall,
  judgeBefore,
  type Said,
} from './judge-call.ts'
import type { Ask } from './question.ts'
import { createRecent } from './recent-calls.ts'
import { untilAborted } from './until-aborted.ts'

/**
 * What a call must pass before it runs. An SDK with approvals asks first whether the user must be asked, so the call is
 * checked there, and the result is kept for `begin`. If a tool is run without that, `begin` checks the call itself.
 */
export interface CallGate {
  /** `isAsked`: the SDK must ask the user. */
  before(call: GuardedCall, options: ApprovalOptions): Promise<CheckedCall>
  /** The last check before the call runs. */
  begin(call: GuardedCall, options: Pick<ApprovalOptions, 'hasYes' | 'signal'>): Promise<CallVerdict>
}

export interface CheckedCall {
  readonly verdict: CallVerdict
  readonly isAsked: boolean
}

export function createCallGate(context: GuardContext, ask: Ask | undefined): CallGate {
  const judged = createRecent<Judgement>()
  return {
    async before(call, options) {
      const { signal, hasYes } = options
      // The same call was checked before, if the user had to be asked meanwhile.
      const earlier = hasYes ? sameCall(judged.take(call.toolCallId), call) : undefined
      const found = await untilAborted(judgeBefore(context, call), signal)
      notifyOf(context, found, earlier?.verdict)
      const { verdict, isAsked } = await beforeApproval(context, ask, call, found, options)
      const isWaiting = isAsked && !hasYes
      if (isWaiting || !options.runsElsewhere) {
        judged.keep(call.toolCallId, { text: call.seen?.text, verdict, isAsked, isWaiting })
      }
      if (!isWaiting) sendMessages(context, verdict)
      // An approval that is no longer needed changes nothing; a hook may ask only once.
      return { verdict, isAsked: isAsked || (verdict.kind !== 'stop' && earlier?.isAsked === true) }
    },
    async begin(call, options) {
      const { signal, hasYes } = options
      const known = sameCall(judged.take(call.toolCallId), call)
      // Hooks may have become stricter while the user was asked.
      const isNew = known === undefined || known.isWaiting
      const found = isNew ? await untilAborted(judgeBefore(context, call), signal) : known.verdict
      if (isNew) {
        notifyOf(context, found, known?.verdict)
        sendMessages(context, found)
      }
      signal?.throwIfAborted()
      const settled = isNew && hasYes ? asTheUserSawIt(found) : found
      const verdict = settled.kind === 'ask' ? await answered(context, ask, call, settled, options) : settled
      signal?.throwIfAborted()
      return verdict
    },
  }
}

/** What was decided about a call that has not run yet. */
interface Judgement {
  /** The input that it was decided about. */
  readonly text: string | undefined
  readonly verdict: CallVerdict
  /** The SDK was told to ask the user. */
  readonly isAsked: boolean
  /** The user had not answered then. */
  readonly isWaiting: boolean
}

/** The same id with another input is a different call. */
function sameCall(known: Judgement | undefined, { seen }: GuardedCall): Judgement | undefined {
  return known?.text === seen?.text ? known : undefined
}

/** A call may be checked several times; its notices are shown once. */
function notifyOf(context: GuardContext, { notices }: Said, earlier?: Said): void {
  for (const notice of notices) if (earlier?.notices.includes(notice) !== true) context.notify(notice)
}

function sendMessages(context: GuardContext, { messages }: Said): void {
  for (const message of messages) context.courier.send(message)
}
