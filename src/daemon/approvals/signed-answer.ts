import { verify } from 'node:crypto'
import { type AnsweredQuestion, answerText, type PersonAnswer } from '../../core/formats/approval-text.ts'
import { isObject, textAt } from '../../core/json.ts'
import { type BoardRegistration, boardPublicKey } from './registration.ts'

/** What a person answers, signed with the key of the board. */
export interface SignedAnswer extends PersonAnswer {
  /** ECDSA with SHA-256, both numbers in a row, in base64. */
  readonly signature: string
}

const ANSWERS = ['once', 'session', 'deny'] as const
const REASON_MAX = 2_000

export function readSignedAnswer(value: unknown): SignedAnswer | undefined {
  if (!isObject(value)) return undefined
  const { reason = '' } = value
  const signature = textAt(value, 'signature')
  const answer = ANSWERS.find((each) => each === value.answer)
  const how = (['browser', 'terminal'] as const).find((each) => each === value.how)
  if (answer === undefined || how === undefined || typeof reason !== 'string' || signature === undefined)
    return undefined
  if (typeof value.atMs !== 'number' || reason.length > REASON_MAX) return undefined
  return { answer, reason, atMs: value.atMs, how, signature }
}

/** Whether the board of this registration signed exactly this answer to this question. */
export function isAnswerSignedBy(
  registration: BoardRegistration,
  question: AnsweredQuestion,
  answer: SignedAnswer,
): boolean {
  try {
    const text = Buffer.from(answerText(registration.key, question, answer))
    const key = { key: boardPublicKey(registration), dsaEncoding: 'ieee-p1363' } as const
    return verify('sha256', text, key, Buffer.from(answer.signature, 'base64'))
  } catch {
    return false
  }
}
