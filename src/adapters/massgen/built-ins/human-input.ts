import { thrownText } from '../../../core/engine/hook-execution.ts'
import {
  BUILT_IN_TIMEOUT_SECONDS,
  FunctionHook,
  type LegacyContext,
  type Returned,
} from '../function-hook.ts'
import { invalidHook } from '../invalid-hook.ts'

export interface HumanInput {
  readonly id: string
  readonly text: string
  /** Missing: every agent. */
  readonly targets?: readonly string[]
}

/** An input that was delivered to an agent. */
export interface DeliveredInput {
  readonly id: string
  readonly agentId: string | null
  readonly text: string
}

/**
 * What users typed while agents were working, from oldest to newest. Every agent it is for gets it once, even with
 * several managers: managers that share a queue share what was delivered.
 */
export class HumanInputQueue {
  #inputs: readonly HumanInput[] = []
  #history: readonly DeliveredInput[] = []
  #count = 0

  /** Returns the id of the input. Without targets it is for every agent until it is removed. */
  add(text: string, targets?: readonly string[]): string {
    if (typeof text !== 'string' || text.trim() === '') throw invalidHook('text', 'The input has no text.')
    if (targets !== undefined && !areNames(targets)) {
      throw invalidHook('targets', 'This must be a list of agent names; leave it out for all agents.')
    }
    this.#count += 1
    const id = `input-${this.#count}`
    this.#inputs = [
      ...this.#inputs,
      { id, text, ...(targets === undefined ? {} : { targets: [...targets] }) },
    ]
    return id
  }

  remove(id: string): boolean {
    const kept = this.#inputs.filter((input) => input.id !== id)
    const isThere = kept.length < this.#inputs.length
    this.#inputs = kept
    return isThere
  }

  clear(): void {
    this.#inputs = []
  }

  /** What still waits for this agent. */
  pendingFor(agentId: string | null): readonly HumanInput[] {
    return this.#inputs.filter(
      ({ id, targets }) =>
        (targets === undefined || (agentId !== null && targets.includes(agentId))) &&
        !this.#history.some((each) => each.id === id && each.agentId === agentId),
    )
  }

  /** The same, and marks it as delivered. */
  take(agentId: string | null): readonly HumanInput[] {
    const taken = this.pendingFor(agentId)
    this.#history = [...this.#history, ...taken.map(({ id, text }) => ({ id, agentId, text }))]
    this.#inputs = this.#inputs.filter((input) => !this.#isDone(input))
    return taken
  }

  /** Which agent got what, in order. */
  history(): readonly DeliveredInput[] {
    return this.#history
  }

  #isDone({ id, targets }: HumanInput): boolean {
    const got = this.#history.filter((each) => each.id === id).map(({ agentId }) => agentId)
    return targets?.every((target) => got.includes(target)) === true
  }
}

/** An empty list would mean no agent: a text that is never delivered. */
function areNames(targets: unknown): boolean {
  return Array.isArray(targets) && targets.length > 0 && targets.every((name) => typeof name === 'string')
}

/** Gives an agent, after its next call, what users typed for it. */
export class HumanInputHook extends FunctionHook {
  readonly #queue: HumanInputQueue
  readonly #onDelivered: ((delivered: DeliveredInput) => void) | undefined

  constructor(queue: HumanInputQueue, options: { onDelivered?(delivered: DeliveredInput): void } = {}) {
    super({ name: 'HumanInputHook', timeout: BUILT_IN_TIMEOUT_SECONDS })
    if (!(queue instanceof HumanInputQueue)) throw invalidHook('queue', 'This must be a HumanInputQueue.')
    this.#queue = queue
    this.#onDelivered = options.onDelivered?.bind(options)
  }

  execute(_name: string, _arguments: string, { agent_id: agentId }: LegacyContext): Returned {
    const taken = this.#queue.take(agentId)
    if (taken.length === 0) return null
    const errors = taken.flatMap(({ id, text }) => this.#tell({ id, agentId, text }))
    const content = taken.map(({ text }) => `The user says: ${text}`).join('\n')
    return { inject: { content, strategy: 'user_message' }, hook_errors: errors }
  }

  /** An exception in the listener must not keep the text from the agent. */
  #tell(delivered: DeliveredInput): readonly string[] {
    try {
      this.#onDelivered?.(delivered)
      return []
    } catch (error) {
      return [`onDelivered: ${thrownText(error)}`]
    }
  }
}
