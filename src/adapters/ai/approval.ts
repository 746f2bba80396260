import type { ModelMessage, ToolSet } from 'ai'
import { type Ask, askPerson } from '../question.ts'
import { type CallVerdict, type GuardContext, type GuardedCall, stopped } from './judge-call.ts'

type NeedsApproval = Exclude<ToolSet[string]['needsApproval'], boolean | undefined>
type ApprovalOptions = Parameters<NeedsApproval>[1] & {
  readonly signal: AbortSignal | undefined
  /** The user has already approved this call, as the model wrote it. */
  readonly hasYes: boolean
}
type Unstopped = Exclude<CallVerdict, { readonly kind: 'stop' }>

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
  const isAsked = isOurs || (!verdict.isGranted && (await ownQuestion(call, verdict, options)))
  const runsElsewhere = call.tool.execute === undefined
  if (verdict.isRewritten && (isAsked || options.hasYes || runsElsewhere)) {
    const reason = `This call may only run with a changed input. Make it again with exactly this input: ${JSON.stringify(verdict.input)}`
    return { verdict: stopped(verdict, reason), isAsked: false }
  }
  // The approval request has no field for a reason.
  if (isOurs && !options.hasYes) context.notify(`${call.name} waits for approval: ${verdict.reason}`)
  const isAskedNow = verdict.kind === 'ask' && ask !== undefined && runsElsewhere
  return {
    verdict: isAskedNow ? await askedPerson(context, ask, call, verdict, options.signal) : verdict,
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

/**
 * Whether the user approved exactly this call. The SDK has checked what the messages claim before it runs a
 * tool. Like the SDK, this looks for answers only in the last message: some models reuse ids, so an older
 * approval may be for another call.
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
