import { type ExtensibleEngine, extendEngine } from '../engine.ts'
import type { EventKind } from '../event.ts'
import type { Hook, Pattern } from '../hook.ts'
import type { Registered } from './registry.ts'

export type EngineMaker = (base: ExtensibleEngine, registered: readonly Registered[]) => ExtensibleEngine

/** The engine of what is registered, made again only when that has changed. */
export function engineMaker(): EngineMaker {
  let known: { readonly of: readonly Registered[]; readonly engine: ExtensibleEngine } | undefined
  return (base, registered) => {
    if (known?.of !== registered) known = { of: registered, engine: engineWith(base, registered) }
    return known.engine
  }
}

/** All hooks in their order: what was loaded, then what was registered, each without the agents that replace it. */
function engineWith(base: ExtensibleEngine, registered: readonly Registered[]): ExtensibleEngine {
  const replaced = new Map<EventKind, readonly Pattern[]>()
  for (const { about, replacesFor } of registered) {
    if (replacesFor === undefined) continue
    for (const kind of about.on) replaced.set(kind, [...(replaced.get(kind) ?? []), replacesFor])
  }
  const hooks = [...base.hooks, ...registered.flatMap((each) => each.hooks)]
  const runners = registered.flatMap((each) => each.hooks.map(() => each.runner))
  return extendEngine(
    base,
    replaced.size === 0 ? hooks : hooks.map((hook) => without(hook, replaced)),
    runners,
  )
}

/** Only what is for all agents can be replaced by what is for one. Guards of packs and required hooks cannot. */
function without(hook: Hook, replaced: ReadonlyMap<EventKind, readonly Pattern[]>): Hook {
  const patterns = replaced.get(hook.on)
  const isForAll = hook.actor.agentType === undefined
  if (patterns === undefined || hook.required || hook.run.type === 'guard' || !isForAll) return hook
  const exceptAgents = [...(hook.actor.exceptAgents ?? []), ...patterns]
  return { ...hook, actor: { ...hook.actor, exceptAgents } }
}
