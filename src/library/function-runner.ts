import type { Actor } from '../core/actor.ts'
import type { HookContext } from '../core/define-hook.ts'
import type { Event } from '../core/event.ts'
import type { HandlerCall, Runner } from '../core/handler.ts'
import { frozen, type JsonObject } from '../core/json.ts'
import { readAnswerOf, type Speaker } from '../handlers/read-answer.ts'

/**
 * A function of the program as a hook. Synchronous functions stay synchronous; an exception is a failure of
 * the hook.
 */
export function functionRunner(run: (event: Event, context: HookContext) => unknown): Runner {
  return (call) => readAnswerOf(run(call.event, new FunctionContext(call)), FUNCTION)
}

const FUNCTION: Speaker = { kind: 'function' }

/**
 * What a function gets in addition to the event. A class, because one is created for every run and most
 * functions never use it. Values that several functions share are frozen when the first one reads them.
 */
class FunctionContext implements HookContext {
  readonly #call: HandlerCall

  constructor(call: HandlerCall) {
    this.#call = call
  }

  get env(): HookContext['env'] {
    return this.#call.facts.env
  }
  get project(): string {
    return this.#call.facts.project
  }
  get cwd(): string {
    return this.#call.facts.cwd
  }
  get home(): string {
    return this.#call.facts.home
  }
  get memory(): JsonObject | undefined {
    return frozen(this.#call.memory)
  }
  get actor(): Actor {
    const { actor } = this.#call
    Object.freeze(actor.skills)
    return Object.freeze(actor)
  }
  get timeoutMs(): number {
    return this.#call.timeoutMs
  }
  get signal(): AbortSignal {
    return this.#call.signal
  }
}
