import { verify } from 'node:crypto'
import { isObject, textAt } from '../../core/json.ts'
import { boardPublicKey, type Registration } from './registration.ts'

/** What a person answers, signed with the key of the board. */
export interface SignedAnswer {
  readonly answer: 'once' | 'session' | 'deny'
  /** For the agent, if it is a denial. */
  readonly reason: string
  readonly atMs: number
  /** `browser` or `terminal`. */
  readonly how: 'browser' | 'terminal'
  /** ECDSA with SHA-256, both numbers in a row, in base64. */
  readonly signature: string
}

/** The question that an answer is about. */
export interface AnsweredQuestion {
  /** Chosen by the process that asks, at random: an old answer never fits a new question. */
  readonly id: string
  readonly session: string
  /** SHA-256 of the text that the person saw, in hex. */
  readonly digest: string
}

const ANSWERS = ['once', 'session', 'deny'] as const
const REASON_MAX = 2_000

/**
 * The text that is signed. It binds the answer to what was shown and to one question, or, for a session, to the session.
 * The page of the board builds the same text.
 */
export function answerText(
  key: string,
  question: AnsweredQuestion,
  { answer, reason, atMs, how }: Omit<SignedAnswer, 'signature'>,
): string {
  const about = answer === 'session' ? question.session : question.id
  return JSON.stringify(['holdpoint', 1, 'approval', key, answer, about, question.digest, reason, atMs, how])
}

export function readAnswer(value: unknown): SignedAnswer | undefined {
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
export function isSignedBy(
  registration: Registration,
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
