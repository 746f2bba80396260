import type { Strategy } from '../../../core/formats/massgen-result.ts'
import {
  BUILT_IN_TIMEOUT_SECONDS,
  FunctionHook,
  type LegacyContext,
  type Returned,
} from '../function-hook.ts'
import { mustBeFunction } from '../invalid-hook.ts'

/** Text for the agent whose call just ended, or nothing. */
export type InjectionCallback = (
  agentId: string | null,
) => string | null | undefined | Promise<string | null | undefined>

/**
 * Adds the text of a function to the result of any tool. An exception is reported, and the injection is
 * skipped.
 */
export class MidStreamInjectionHook extends FunctionHook {
  readonly #callback: InjectionCallback
  readonly #strategy: Strategy

  constructor(callback: InjectionCallback, { strategy = 'tool_result' }: { strategy?: Strategy } = {}) {
    super({ name: 'MidStreamInjectionHook', timeout: BUILT_IN_TIMEOUT_SECONDS })
    mustBeFunction('callback', callback)
    this.#callback = callback
    this.#strategy = strategy
  }

  async execute(_name: string, _arguments: string, context: LegacyContext): Promise<Returned> {
    const content = await this.#callback(context.agent_id)
    if (content === undefined || content === null || content === '') return null
    if (typeof content !== 'string') throw new TypeError(`injection skipped: it is a ${typeof content}`)
    return { inject: { content, strategy: this.#strategy } }
  }
}
