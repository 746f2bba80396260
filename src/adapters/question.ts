import { untilAborted } from './until-aborted.ts'

/** A call that hooks want the user to confirm. */
export interface PersonQuestion {
  readonly tool: string
  /** What would run, as the hooks changed it. */
  readonly input: unknown
  readonly reason: string
  readonly useId: string
  readonly session?: string
  readonly agent?: string
  /** Aborted if the call is cancelled meanwhile. */
  readonly signal?: AbortSignal
}

/** Only `true` is a yes. */
export type Ask = (question: PersonQuestion) => boolean | PromiseLike<boolean>

/** Undefined: the user agreed. Otherwise the text for the model. */
export async function askPerson(ask: Ask, question: PersonQuestion): Promise<string | undefined> {
  try {
    if ((await untilAborted(ask(question), question.signal)) === true) return undefined
    return `${question.reason} The user was asked and did not agree.`
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `${question.reason} The user could not be asked: ${why}`
  }
}
