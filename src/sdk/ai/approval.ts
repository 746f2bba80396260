import type { ModelMessage, ToolSet } from 'ai'
import { type Ask, askPerson } from '../question.ts'
import type { Desk, GuardedCall, Verdict } from './judge-call.ts'

type NeedsApproval = Exclude<ToolSet[string]['needsApproval'], boolean | undefined>
type ApprovalOptions = Parameters<NeedsApproval>[1] & { readonly signal: AbortSignal | undefined }
type Unstopped = Exclude<Verdict, { readonly does: 'stop' }>

/**
 * What the SDK's tool approval makes of a verdict. It shows a person the input the model wrote and no other, so a
 * changed call cannot be approved: the model is told to make it as it may run.
 */
export async function beforeApproval(
  desk: Desk,
  ask: Ask | undefined,
  call: GuardedCall,
  verdict: Verdict,
  options: ApprovalOptions,
): Promise<{ readonly verdict: Verdict; readonly isAsked: boolean }> {
  if (verdict.does === 'stop') return { verdict, isAsked: false }
  const isOurs = verdict.does === 'ask' && ask === undefined
  const isAsked = isOurs || (!verdict.isGranted && (await ownQuestion(call, verdict, options)))
  const runsElsewhere = call.tool.execute === undefined
  if (verdict.isRewritten && (isAsked || runsElsewhere)) {
    const reason = `This call may only run changed. Make it again with exactly this input: ${JSON.stringify(verdict.input)}`
    return { verdict: { does: 'stop', reason }, isAsked: false }
  }
  // The request for approval has no room for a reason.
  if (isOurs) desk.notify(`${call.name} waits for approval: ${verdict.reason}`)
  const isAskedNow = verdict.does === 'ask' && ask !== undefined && runsElsewhere
  return {
    verdict: isAskedNow ? await askedPerson(desk, ask, call, verdict, options.signal) : verdict,
    isAsked,
  }
}

async function ownQuestion(
  { tool }: GuardedCall,
  { input }: Unstopped,
  { signal: _signal, ...options }: ApprovalOptions,
): Promise<boolean> {
  const { needsApproval } = tool
  return typeof needsApproval === 'function' ? await needsApproval(input, options) : needsApproval === true
}

export async function askedPerson(
  desk: Desk,
  ask: Ask,
  call: GuardedCall,
  verdict: Unstopped,
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  const { session, agent } = desk.who
  const objection = await askPerson(ask, {
    tool: call.name,
    input: verdict.input,
    reason: verdict.reason,
    useId: call.toolCallId,
    ...(session === undefined ? {} : { session }),
    ...(agent === undefined ? {} : { agent }),
    ...(signal === undefined ? {} : { signal }),
  })
  return objection === undefined ? verdict : { does: 'stop', reason: objection }
}

/** Did a person say yes to this very call? What the messages claim, the SDK has checked before it runs a tool. */
export function isApproved(messages: readonly ModelMessage[], toolCallId: string): boolean {
  const parts = messages.flatMap(({ content }): readonly Part[] =>
    typeof content === 'string' ? [] : content,
  )
  const ids = parts.filter((part) => part.toolCallId === toolCallId).flatMap((part) => part.approvalId ?? [])
  return parts.some((part) => part.approved === true && ids.includes(part.approvalId ?? ''))
}

interface Part {
  readonly type: string
  readonly toolCallId?: string
  readonly approvalId?: string
  readonly approved?: boolean
}
