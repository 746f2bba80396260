import type { ModelMessage, ToolSet } from 'ai'
import { type Ask, askPerson } from '../question.ts'
import { type Desk, type GuardedCall, stopped, type Verdict } from './judge-call.ts'

type NeedsApproval = Exclude<ToolSet[string]['needsApproval'], boolean | undefined>
type ApprovalOptions = Parameters<NeedsApproval>[1] & {
  readonly signal: AbortSignal | undefined
  /** A person has said yes to this call already, as the model wrote it. */
  readonly hasYes: boolean
}
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
  if (verdict.isRewritten && (isAsked || options.hasYes || runsElsewhere)) {
    const reason = `This call may only run changed. Make it again with exactly this input: ${JSON.stringify(verdict.input)}`
    return { verdict: stopped(verdict, reason), isAsked: false }
  }
  // The request for approval has no room for a reason.
  if (isOurs && !options.hasYes) desk.notify(`${call.name} waits for approval: ${verdict.reason}`)
  const isAskedNow = verdict.does === 'ask' && ask !== undefined && runsElsewhere
  return {
    verdict: isAskedNow ? await askedPerson(desk, ask, call, verdict, options.signal) : verdict,
    isAsked,
  }
}

async function ownQuestion(
  { tool }: GuardedCall,
  { input }: Unstopped,
  { signal: _signal, hasYes: _hasYes, ...options }: ApprovalOptions,
): Promise<boolean> {
  return typeof tool.needsApproval === 'function'
    ? await tool.needsApproval(input, options)
    : tool.needsApproval === true
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
  return objection === undefined ? verdict : stopped(verdict, objection)
}

/**
 * Did a person say yes to this very call? What the messages claim, the SDK has checked before it runs a tool. It looks
 * for answers in the last message alone, and so do we: some models count their ids anew, and an older yes was to
 * another call.
 */
export function isApproved(messages: readonly ModelMessage[], toolCallId: string): boolean {
  const ids = messages
    .flatMap(partsOf)
    .flatMap((part) => (part.toolCallId === toolCallId ? (part.approvalId ?? []) : []))
  const answers = partsOf(messages.at(-1) ?? { content: '' })
  return answers.some((part) => part.approved === true && ids.includes(part.approvalId ?? ''))
}

function partsOf({ content }: Pick<ModelMessage, 'content'>): readonly Part[] {
  return typeof content === 'string' ? [] : content
}

interface Part {
  readonly type: string
  readonly toolCallId?: string
  readonly approvalId?: string
  readonly approved?: boolean
}
