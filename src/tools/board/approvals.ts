import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import { type BoardView, openBoardLink } from '../../daemon/approvals/board-link.ts'
import { type BoardRegistration, describeBoard } from '../../daemon/approvals/registration.ts'
import { readSignedAnswer } from '../../daemon/approvals/signed-answer.ts'
import { unsealWithPin } from '../../system/signing-key.ts'
import type { ApprovalState, BoardState } from './api.ts'

/** What the board knows of questions that wait for a person, and how an answer leaves it. */
export interface BoardApprovals {
  state(): ApprovalState
  /** The private half of the board's key, for the page of the person who knows the PIN. */
  unlock(pin: string): Promise<JsonObject>
  /** Passes a signed answer on. */
  answer(signed: JsonObject): Promise<JsonObject>
  close(): void
}

/** Wrong PINs, after which no page gets the key any more. */
const ATTEMPTS_MAX = 5

/** A board that may answer: its key, encrypted with the PIN. Nothing else of it is kept. */
export interface SealedBoard {
  readonly registration: BoardRegistration
  readonly sealedKey: JsonObject
}

export interface BoardApprovalOptions {
  readonly run: string
  /** Without it this board only shows: `why`. */
  readonly register?: SealedBoard
  readonly why: { readonly why: string; readonly fix: string }
  onChange(state: ApprovalState, view: BoardView): void
}

/**
 * The key is kept encrypted here, and a page gets it for the PIN. So neither a program that has the token of a page, nor
 * one that asks this server, can sign: the page signs, and the PIN is not kept.
 */
export function openBoardApprovals({ run, register, why, onChange }: BoardApprovalOptions): BoardApprovals {
  let attempts = ATTEMPTS_MAX
  const link = openBoardLink(run, register?.registration, (view) => onChange(stateOf(view), view))
  const boardState = (view: BoardView): BoardState => {
    if (register === undefined) return { kind: 'off', ...why }
    if (!view.isConnected) return { kind: 'unconnected' }
    if (!view.isYou) return { kind: 'second', by: view.answering ?? 'another board' }
    const { registration } = register
    return {
      kind: 'ready',
      key: registration.key,
      by: describeBoard(registration),
      attempts,
      refused: view.refused,
    }
  }
  const stateOf = (view: BoardView): ApprovalState => ({ board: boardState(view), pending: view.pending })
  return {
    state: () => stateOf(link.view()),
    close: link.close,
    async unlock(pin) {
      if (register === undefined) return { refused: 'This board only shows.' }
      if (attempts === 0) return { refused: LOCKED }
      // Counted first: guesses that are sent at the same time count too.
      attempts -= 1
      const key = unsealWithPin(register.sealedKey, pin)
      if (key !== undefined) attempts = ATTEMPTS_MAX
      onChange(stateOf(link.view()), link.view())
      if (key !== undefined) return { key: key.toString('base64') }
      return { refused: attempts === 0 ? LOCKED : `The PIN is wrong. ${attempts} attempts are left.` }
    },
    async answer(signed) {
      const [id, answer] = [textAt(signed, 'id'), readSignedAnswer(signed.answer)]
      if (id === undefined || !isObject(signed.answer) || answer === undefined)
        return { settled: 'signature' }
      return { settled: await link.answer(id, answer) }
    },
  }
}

const LOCKED = 'Too many wrong PINs. End the board and start it again.'
