import { callLayer, loadPacks } from '../config/compile.ts'
import { HoldpointError } from '../core/errors.ts'
import { buildPlan } from '../handlers/plan.ts'
import { createEngine } from './create-engine.ts'
import type { LoadedPlan } from './load-plan.ts'

/**
 * A plan of packs only, without any configuration of this machine, so that many calls get the same decision
 * everywhere.
 */
export async function buildCheckPlan(
  packs: readonly string[] | undefined,
  level: string | undefined,
): Promise<LoadedPlan> {
  const options = level === undefined ? {} : { level }
  const plan = buildPlan([callLayer(packs, options)], await loadPacks())
  const [problem] = plan.problems
  if (problem !== undefined) throw new HoldpointError(problem)
  return { plan, engine: await createEngine(plan), maskers: [], broken: [] }
}
