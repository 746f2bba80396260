import type { JsonObject } from '../../core/json.ts'
import type { ApprovalState, BoardState } from './api.ts'

/** What the board knows of questions that wait for a person, and how an answer leaves it. */
export interface BoardApprovals {
  state(): ApprovalState
  /** The private half of the board's key, for the page of the person who knows the PIN. */
  unlock(pin: string): Promise<JsonObject>
  /** Passes a signed answer on. */
  answer(signed: JsonObject): Promise<JsonObject>
}

/** A board that only shows. */
export function withoutApprovals(board: BoardState): BoardApprovals {
  const refuse = async () => ({ refused: 'This board only shows.' })
  return { state: () => ({ board, pending: [] }), unlock: refuse, answer: refuse }
}
