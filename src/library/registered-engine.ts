import { type ExtensibleEngine, extendEngine } from '../app/create-engine.ts'
import { applyOverrides } from '../core/plan/overrides.ts'
import type { RegistryEntry } from './registry.ts'

export type EngineMaker = (base: ExtensibleEngine, registered: readonly RegistryEntry[]) => ExtensibleEngine

/** The engine for the registered hooks, created again only after a change. */
export function engineMaker(): EngineMaker {
  let known: { readonly of: readonly RegistryEntry[]; readonly engine: ExtensibleEngine } | undefined
  return (base, registered) => {
    if (known?.of !== registered) known = { of: registered, engine: engineWith(base, registered) }
    return known.engine
  }
}

/** All hooks in their order: loaded hooks, then registered ones, each without the agents that override it. */
function engineWith(base: ExtensibleEngine, registered: readonly RegistryEntry[]): ExtensibleEngine {
  const hooks = [...base.hooks, ...registered.flatMap((each) => each.hooks)]
  const runners = registered.flatMap((each) => each.hooks.map(() => each.runner))
  const overrides = registered.flatMap((each) => each.overrides)
  return extendEngine(base, applyOverrides(hooks, overrides), runners)
}
