import type { ModelMessage } from 'ai'

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
