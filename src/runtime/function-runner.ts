import type { Actor } from '../actor.ts'
import type { HookContext } from '../define-hook.ts'
import type { Event } from '../event.ts'
import type { Call, Runner } from '../handlers/handler.ts'
import { readAnswerOf } from '../handlers/returned.ts'
import { frozen, type JsonObject } from '../json.ts'

/** A function of the embedding program as a hook. Sync functions stay sync; what it throws is its failure. */
export function functionRunner(run: (event: Event, context: HookContext) => unknown): Runner {
  return (call) => readAnswerOf(run(call.event, new FunctionContext(call)))
}

/**
 * What a function knows beside the event. A class, because one is made for every run and most functions never look at
 * it. What several functions share is frozen when the first one looks.
 */
class FunctionContext implements HookContext {
  readonly #call: Call

  constructor(call: Call) {
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
