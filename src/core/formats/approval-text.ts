/** What a person answers to a question that waits at a board. */
export interface PersonAnswer {
  readonly answer: 'once' | 'session' | 'deny'
  /** For the agent, if it is a denial. */
  readonly reason: string
  readonly atMs: number
  readonly how: 'browser' | 'terminal'
}

/** The question that an answer is about. */
export interface AnsweredQuestion {
  /** Chosen by the process that asks, at random: an old answer never fits a new question. */
  readonly id: string
  readonly session: string
  /** SHA-256 of the text that the person saw, in hex. */
  readonly digest: string
}

/**
 * The text that is signed, in the browser and in the terminal. It binds the answer to what was shown and to one question,
 * or, for a session, to the session. `key`: the public key of the board.
 */
export function answerText(
  key: string,
  question: AnsweredQuestion,
  { answer, reason, atMs, how }: PersonAnswer,
): string {
  const about = answer === 'session' ? question.session : question.id
  return JSON.stringify(['holdpoint', 1, 'approval', key, answer, about, question.digest, reason, atMs, how])
}
