import type { Pack } from '../core/guard.ts'
import type { Hook, Rank } from '../core/hook.ts'
import type { HookEntry, Layer } from '../core/layer.ts'
import { entryHooks, isCodeOfProject, type Plan, planOf } from '../core/plan/plan.ts'
import { handlerKind } from './kind-of.ts'

/** The plan of these layers, with what the handlers declare. */
export function buildPlan(layers: readonly Layer[], packs: ReadonlyMap<string, Pack>): Plan {
  return planOf(layers, packs, handlerKind)
}

/** An entry for several kinds becomes one hook for each. */
export function compileEntry(entry: HookEntry, layer: Pick<Layer, 'rank' | 'trusted'>): readonly Hook[] {
  return entryHooks(entry, layer, handlerKind)
}

/** Whether a hook is code that came with a project, trusted or not. */
export function isProjectCode(entry: Pick<HookEntry, 'run'>, rank: Rank): boolean {
  return isCodeOfProject(entry, rank, handlerKind)
}
