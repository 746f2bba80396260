import type { Strategy } from '../../../core/formats/massgen-result.ts'
import {
  BUILT_IN_TIMEOUT_SECONDS,
  FunctionHook,
  type LegacyContext,
  type Returned,
} from '../function-hook.ts'
import { mustBeFunction } from '../invalid-hook.ts'

/** How a sub-agent that ran in parallel ended. */
export interface SubagentResult {
  readonly subagent_id: string
  readonly status: 'completed' | 'timeout' | 'error'
  readonly answer?: string | null
  readonly error?: string | null
  readonly execution_time_seconds?: number
}

/**
 * The results that wait for this agent. The function must remove them from its list, so that they are
 * reported once.
 */
export type PendingResults = (
  agentId: string | null,
) => readonly SubagentResult[] | null | undefined | Promise<readonly SubagentResult[] | null | undefined>

/** Tells an agent, after its next call, what its sub-agents have found meanwhile. */
export class SubagentCompleteHook extends FunctionHook {
  readonly #pending: PendingResults
  readonly #strategy: Strategy

  constructor(pending: PendingResults, { strategy = 'tool_result' }: { strategy?: Strategy } = {}) {
    super({ name: 'SubagentCompleteHook', timeout: BUILT_IN_TIMEOUT_SECONDS })
    mustBeFunction('pending', pending)
    this.#pending = pending
    this.#strategy = strategy
  }

  async execute(_name: string, _arguments: string, context: LegacyContext): Promise<Returned> {
    const results = (await this.#pending(context.agent_id)) ?? []
    if (results.length === 0) return null
    const head =
      results.length === 1 ? 'A sub-agent has finished.' : `${results.length} sub-agents have finished.`
    return { inject: { content: [head, ...results.map(told)].join('\n\n'), strategy: this.#strategy } }
  }
}

function told({
  subagent_id: id,
  status,
  answer,
  error,
  execution_time_seconds: seconds,
}: SubagentResult): string {
  const took = seconds === undefined ? '' : ` after ${Math.round(seconds * 10) / 10} s`
  if (status === 'completed') return `[${id}] completed${took}:\n${answer || '(no answer)'}`
  const how = status === 'timeout' ? 'ran out of time' : 'failed'
  const why = error ? `: ${error}` : ''
  return `[${id}] ${how}${took}${why}${answer ? `\nWhat it had so far:\n${answer}` : ''}`
}
