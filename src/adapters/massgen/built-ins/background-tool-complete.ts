import type { Strategy } from '../../../core/formats/massgen-result.ts'
import {
  BUILT_IN_TIMEOUT_SECONDS,
  FunctionHook,
  type LegacyContext,
  type Returned,
} from '../function-hook.ts'
import { mustBeFunction } from '../invalid-hook.ts'

/** A background tool that has ended. */
export interface BackgroundResult {
  readonly job_id: string
  readonly tool_name: string
  readonly status: string
  readonly result?: string | null
  readonly error?: string | null
}

/** The jobs that ended since the last call: each is reported once. */
export type CompletedJobs = (
  agentId: string | null,
) => readonly BackgroundResult[] | null | undefined | Promise<readonly BackgroundResult[] | null | undefined>

/** The agent must fetch more of a result than this itself. */
const RESULT_MAX_CHARACTERS = 600

/** Tells an agent, after its next call, which of its background jobs have ended. */
export class BackgroundToolCompleteHook extends FunctionHook {
  readonly #completed: CompletedJobs
  readonly #strategy: Strategy

  constructor(completed: CompletedJobs, { strategy = 'tool_result' }: { strategy?: Strategy } = {}) {
    super({ name: 'BackgroundToolCompleteHook', timeout: BUILT_IN_TIMEOUT_SECONDS })
    mustBeFunction('completed', completed)
    this.#completed = completed
    this.#strategy = strategy
  }

  async execute(_name: string, _arguments: string, context: LegacyContext): Promise<Returned> {
    const jobs = (await this.#completed(context.agent_id)) ?? []
    if (jobs.length === 0) return null
    const content = ['Background jobs have ended.', ...jobs.map(told)].join('\n\n')
    return { inject: { content, strategy: this.#strategy } }
  }
}

function told({ job_id: id, tool_name: tool, status, result, error }: BackgroundResult): string {
  const text = error ? `Error: ${error}` : (result ?? '(no output)')
  const more = text.length - RESULT_MAX_CHARACTERS
  const cut = more > 0 ? `${text.slice(0, RESULT_MAX_CHARACTERS)}… (${more} more characters)` : text
  return `[${id}] ${tool} ${status}:\n${cut}`
}
