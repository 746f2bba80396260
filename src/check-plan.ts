import { callLayer, loadPacks } from './compile.ts'
import { createEngine } from './engine.ts'
import { HoldpointError } from './errors.ts'
import type { LoadedPlan } from './load-plan.ts'
import { buildPlan } from './plan.ts'

/** A plan of packs alone, whatever is configured here: for judging many calls the same way anywhere. */
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
