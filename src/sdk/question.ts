import { untilAborted } from './until-aborted.ts'

/** A call that hooks want a person to confirm. */
export interface Question {
  readonly tool: string
  /** What would run, as the hooks left it. */
  readonly input: unknown
  readonly reason: string
  readonly useId: string
  readonly session?: string
  readonly agent?: string
  /** Aborted when the call is cancelled meanwhile. */
  readonly signal?: AbortSignal
}

/** Only `true` is a yes. */
export type Ask = (question: Question) => boolean | PromiseLike<boolean>

/** Undefined: the person agreed. Else what the model is told. */
export async function askPerson(ask: Ask, question: Question): Promise<string | undefined> {
  try {
    if ((await untilAborted(ask(question), question.signal)) === true) return undefined
    return `${question.reason} A person was asked and did not agree.`
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `${question.reason} Nobody could be asked: ${why}`
  }
}
