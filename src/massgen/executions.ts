import { type Answer, type Decision, type Failure, isFailure } from '../decision.ts'
import type { Engine } from '../judge.ts'
import type { Execution } from './result-fields.ts'

/** One run as the engine traces it. */
export interface Ran {
  readonly order: number
  readonly outcome: Answer | Failure | null
  readonly durationMs: number
}

const PREVIEW_MAX_CHARACTERS = 200

/** Every hook that was asked, in order, and what came of it. */
export function executionsOf(
  engine: Engine,
  { findings }: Decision,
  runs: readonly Ran[],
): readonly Execution[] {
  return runs.map(({ order, outcome, durationMs }) => {
    const effect = findings.find((finding) => finding.order === order)?.effect ?? 'pass'
    return {
      hook: engine.hooks[order]?.id ?? '',
      decision: effect === 'deny' || effect === 'ask' ? effect : 'allow',
      duration_ms: Math.round(durationMs * 1_000) / 1_000,
      preview: outcome === null || isFailure(outcome) ? null : previewOf(outcome),
      error: isFailure(outcome) ? `${outcome.failure}: ${outcome.message}` : null,
    }
  })
}

function previewOf({ context = [], reason }: Answer): string | null {
  const text = context[0]?.text ?? reason
  return text === undefined ? null : text.slice(0, PREVIEW_MAX_CHARACTERS)
}
