import { type CallVerdict, type GuardContext, type GuardedCall, stopped } from './judge-call.ts'
import { type Ask, askPerson } from './question.ts'

export interface ApprovalOptions {
  readonly signal: AbortSignal | undefined
  /** The user has already approved this call, as the model wrote it. */
  readonly hasYes: boolean
  /** The program runs this call itself, as soon as it sees it. */
  readonly runsElsewhere: boolean
  /** Whether the tool itself wants the user to be asked about this input. */
  ownQuestion(input: unknown): boolean | PromiseLike<boolean>
}

export type Unstopped = Exclude<CallVerdict, { readonly kind: 'stop' }>

/**
 * Turns a verdict into the SDK's tool approval. The SDK shows the user the input that the model wrote, so a
 * changed call cannot be approved: the model is told to make the changed call itself.
 */
export async function beforeApproval(
  context: GuardContext,
  ask: Ask | undefined,
  call: GuardedCall,
  verdict: CallVerdict,
  options: ApprovalOptions,
): Promise<{ readonly verdict: CallVerdict; readonly isAsked: boolean }> {
  if (verdict.kind === 'stop') return { verdict, isAsked: false }
  const isOurs = verdict.kind === 'ask' && ask === undefined
  const isAsked = isOurs || (!verdict.isGranted && (await options.ownQuestion(verdict.input)))
  const { runsElsewhere } = options
  if (isAsked || options.hasYes || runsElsewhere) {
    const seen = asTheUserSawIt(verdict)
    if (seen.kind === 'stop') return { verdict: seen, isAsked: false }
  }
  // The approval request has no field for a reason.
  if (isOurs && !options.hasYes) context.notify(`${call.name} waits for approval: ${verdict.reason}`)
  const isAskedNow = verdict.kind === 'ask' && ask !== undefined && runsElsewhere
  return {
    verdict: isAskedNow ? await askedPerson(context, ask, call, verdict, options.signal) : verdict,
    isAsked,
  }
}

/** A yes holds only for the input that the user saw. */
export function asTheUserSawIt(verdict: CallVerdict): CallVerdict {
  if (verdict.kind === 'stop' || !verdict.isRewritten) return verdict
  const reason = `This call may only run with a changed input. Make it again with exactly this input: ${JSON.stringify(verdict.input)}`
  return stopped(verdict, reason)
}

/** The user has approved the call, or is asked now, or cannot be asked. */
export async function answered(
  context: GuardContext,
  ask: Ask | undefined,
  call: GuardedCall,
  verdict: Unstopped,
  { hasYes, signal }: Pick<ApprovalOptions, 'hasYes' | 'signal'>,
): Promise<CallVerdict> {
  if (hasYes) return verdict
  if (ask !== undefined) return await askedPerson(context, ask, call, verdict, signal)
  return stopped(verdict, `${verdict.reason} The user could not be asked.`)
}

async function askedPerson(
  context: GuardContext,
  ask: Ask,
  call: GuardedCall,
  verdict: Unstopped,
  signal: AbortSignal | undefined,
): Promise<CallVerdict> {
  const { session, agent } = context.who
  const objection = await askPerson(ask, {
    tool: call.name,
    input: verdict.input,
    reason: verdict.reason,
    useId: call.toolCallId,
    ...(session === undefined ? {} : { session }),
    ...(agent === undefined ? {} : { agent }),
    ...(signal === undefined ? {} : { signal }),
  })
  return objection === undefined ? verdict : stopped(verdict, objection)
}
