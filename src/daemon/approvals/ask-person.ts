import { createHash, randomBytes } from 'node:crypto'
import type { AskedCall } from '../../app/asked-call.ts'
import type { Approval } from '../../core/approval.ts'
import type { AnsweredQuestion } from '../../core/formats/approval-text.ts'
import type { JsonObject } from '../../core/json.ts'
import { monotonicMs } from '../../system/clock.ts'
import type { Home } from '../../system/home.ts'
import { checkRunFolder } from '../run-folder.ts'
import { type BoardChannel, connectChannel } from './channel.ts'
import { readBoardRegistration } from './registration.ts'
import { isAnswerSignedBy, readSignedAnswer, type SignedAnswer } from './signed-answer.ts'

/** Less than this is not enough to read a question. */
const WAIT_MIN_MS = 500

/**
 * Puts a call to the person at the board, and waits. Whoever relays the answer is not trusted: it counts only with the
 * signature of the board, whose key counts only with the signature of the person. Everything else is ignored, so that a
 * program cannot end a question either, except by closing the board.
 */
export async function askAtBoard(home: Home, call: AskedCall, waitMs: number): Promise<Approval> {
  if (waitMs < WAIT_MIN_MS || !checkRunFolder(home.run).ok) return { kind: 'nobody' }
  const startedMs = monotonicMs()
  const waitedMs = () => monotonicMs() - startedMs
  const digest = createHash('sha256').update(call.text).digest('hex')
  const question: AnsweredQuestion = { id: randomBytes(16).toString('hex'), session: call.session, digest }
  return new Promise((resolve) => {
    let isSettled = false
    let channel: BoardChannel | undefined
    /** The last message must leave this process before it ends. */
    const settle = (approval: Approval, lastly?: JsonObject) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      const done = () => {
        channel?.close()
        resolve(approval)
      }
      if (lastly === undefined || channel === undefined) done()
      else channel.send(lastly, done)
    }
    const timer = setTimeout(() => settle({ kind: 'late', waitedMs: waitedMs() }), waitMs)
    const onMessage = (message: JsonObject) => {
      if (message.kind === 'nobody') return settle({ kind: 'nobody' })
      if (message.kind === 'closed') return settle({ kind: 'closed', waitedMs: waitedMs() })
      const answered = message.kind === 'answer' ? checkedAnswer(message, question, home) : undefined
      if (answered === undefined) return channel?.send(REJECTED)
      const kept = answered.answer.answer === 'session' ? { keep: keptOf(message), digest } : {}
      settle({ ...answered.approval, waitedMs: waitedMs() }, { kind: 'settled', ok: true, ...kept })
    }
    // It closes if the daemon is ended while it relays.
    const onClose = () => settle({ kind: 'closed', waitedMs: waitedMs() })
    void connectChannel(home.run, { onMessage, onClose }).then((opened) => {
      if (opened === undefined) return settle({ kind: 'nobody' })
      channel = opened
      if (isSettled) opened.close()
      else opened.send({ kind: 'ask', ...question, call: call.text, untilMs: Date.now() + waitMs })
    })
  })
}

const REJECTED: JsonObject = { kind: 'settled', ok: false }

function keptOf({ registration = null, answer = null }: JsonObject): JsonObject {
  return { registration, answer }
}

interface CheckedAnswer {
  readonly answer: SignedAnswer
  readonly approval: Approval & { readonly kind: 'approved' | 'denied' }
}

function checkedAnswer(
  message: JsonObject,
  question: AnsweredQuestion,
  home: Home,
): CheckedAnswer | undefined {
  const registration = readBoardRegistration(message.registration, home, Date.now())
  const answer = readSignedAnswer(message.answer)
  if (registration === undefined || answer === undefined) return undefined
  if (!isAnswerSignedBy(registration, question, answer)) return undefined
  const { user, terminal } = registration.by
  const by = { user, terminal, how: answer.how }
  if (answer.answer === 'deny') {
    return { answer, approval: { kind: 'denied', reason: answer.reason, by, waitedMs: 0 } }
  }
  return { answer, approval: { kind: 'approved', scope: answer.answer, by, waitedMs: 0 } }
}
