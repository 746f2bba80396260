import type { EventKind } from '../event.ts'
import { guardRunOf } from '../guard-run.ts'
import type { Hook, Override, Pattern } from '../hook.ts'

/**
 * The same hooks, without the agents that override them. Only a hook for all agents can be overridden, at the event of
 * the override. Guards of packs and required hooks stay: no agent may opt out of those.
 */
export function applyOverrides(hooks: readonly Hook[], overrides: readonly Override[]): readonly Hook[] {
  if (overrides.length === 0) return hooks
  const overridden = new Map<EventKind, readonly Pattern[]>()
  for (const { on, agent } of overrides) overridden.set(on, [...(overridden.get(on) ?? []), agent])
  return hooks.map((hook) => {
    const agents = overridden.get(hook.on)
    if (agents === undefined || !canBeOverridden(hook)) return hook
    const exceptAgents = [...(hook.actor.exceptAgents ?? []), ...agents]
    return { ...hook, actor: { ...hook.actor, exceptAgents } }
  })
}

function canBeOverridden({ required, run, actor }: Hook): boolean {
  return !required && guardRunOf(run) === undefined && actor.agentType === undefined
}
