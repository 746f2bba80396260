import type { HookEntry, Layer } from '../../config.ts'
import type { EventKind } from '../../event.ts'
import type { Pattern } from '../../hook.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import type { Path } from '../locate.ts'
import { readEvents } from './events.ts'
import type { Reading } from './reading.ts'

export interface AgentHooks {
  readonly entries: readonly HookEntry[]
  readonly overrides: NonNullable<Layer['overrides']>
  /** A global hook without the agents that replace the hooks of its event. A required one stays for all. */
  exempt(event: EventKind, entry: HookEntry): HookEntry
}

/** The hooks below `agents[].backend`, and below `agent.backend` where there is only one. */
export function readAgents(config: JsonObject, reading: Reading): AgentHooks {
  const { agents = [], agent = null } = config
  const listed: readonly (readonly [Path, Json])[] = Array.isArray(agents)
    ? agents.map((value: Json, index) => [['agents', index], value] as const)
    : []
  const entries: HookEntry[] = []
  const replaced = new Map<EventKind, Pattern[]>()
  for (const [path, value] of [...listed, [['agent'], agent] as const]) {
    if (isObject(value) && isObject(value.hooks)) {
      const message = 'The hooks of an agent stand below its `backend`; these were left out.'
      reading.problems.add('CONFIG_KEY', [...path, 'hooks'], message, { part: 'key' })
    }
    const hooks = isObject(value) && isObject(value.backend) ? value.backend.hooks : undefined
    if (!isObject(value) || hooks === undefined || hooks === null) continue
    const name = nameOf(value.id)
    if (name === undefined) {
      // Hooks for nobody in particular would be hooks for everybody, or for nobody.
      reading.problems.addWrongValue([...path, 'id'], "the agent's name, because it has hooks of its own")
      continue
    }
    const agentType: Pattern = { is: 'names', names: [name] }
    for (const read of readEvents(hooks, [...path, 'backend', 'hooks'], { agentType }, reading)) {
      entries.push(...read.entries)
      if (read.replaces) replaced.set(read.event, [...(replaced.get(read.event) ?? []), agentType])
    }
  }
  return {
    entries,
    overrides: [...replaced].flatMap(([on, patterns]) => patterns.map((agent) => ({ on, agent }))),
    exempt: (event, entry) => {
      const exceptAgents = replaced.get(event)
      return exceptAgents === undefined || entry.required === true
        ? entry
        : { ...entry, actor: { ...entry.actor, exceptAgents } }
    },
  }
}

function nameOf(id: Json | undefined): string | undefined {
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined
}
