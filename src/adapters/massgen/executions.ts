import type { TracedRun } from '../../app/decide-event.ts'
import { type Answer, type Decision, isFailure } from '../../core/decision.ts'
import type { Engine } from '../../core/engine/run-hooks.ts'
import type { Execution } from '../../core/formats/massgen-result.ts'

const PREVIEW_MAX_CHARACTERS = 200

/** Every hook that was called, in order, with its result. */
export function executionsOf(
  engine: Engine,
  { findings }: Decision,
  runs: readonly TracedRun[],
): readonly Execution[] {
  return runs.map(({ hookIndex, outcome, durationMs }) => {
    const effect = findings.find((finding) => finding.hookIndex === hookIndex)?.effect ?? 'pass'
    return {
      hook: engine.hooks[hookIndex]?.id ?? '',
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
