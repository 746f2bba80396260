import type { Override, Pattern } from '../../../core/hook.ts'
import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { HookEntry } from '../../../core/layer.ts'
import type { Path } from '../locate.ts'
import { readEvents } from './events.ts'
import type { MassGenReader } from './reading.ts'

export interface AgentHooks {
  readonly entries: readonly HookEntry[]
  readonly overrides: readonly Override[]
}

/** The hooks in `agents[].backend`, and in `agent.backend` if there is only one. */
export function readAgents(config: JsonObject, reading: MassGenReader): AgentHooks {
  const { agents = [], agent = null } = config
  const listed: readonly (readonly [Path, Json])[] = Array.isArray(agents)
    ? agents.map((value: Json, index) => [['agents', index], value] as const)
    : []
  const entries: HookEntry[] = []
  const overrides: Override[] = []
  for (const [path, value] of [...listed, [['agent'], agent] as const]) {
    if (isObject(value) && isObject(value.hooks)) {
      const message = 'The hooks of an agent belong in its `backend`; these hooks were left out.'
      reading.problems.add('CONFIG_KEY', [...path, 'hooks'], message, { part: 'key' })
    }
    const hooks = isObject(value) && isObject(value.backend) ? value.backend.hooks : undefined
    if (!isObject(value) || hooks === undefined || hooks === null) continue
    const name = nameOf(value.id)
    if (name === undefined) {
      // Without a name, the hooks would apply to all agents or to none.
      reading.problems.addWrongValue([...path, 'id'], "the agent's name, because the agent has its own hooks")
      continue
    }
    const agentType: Pattern = { kind: 'names', names: [name] }
    for (const read of readEvents(hooks, [...path, 'backend', 'hooks'], { agentType }, reading)) {
      entries.push(...read.entries)
      if (read.replaces) overrides.push({ on: read.event, agent: agentType })
    }
  }
  return { entries, overrides }
}

function nameOf(id: Json | undefined): string | undefined {
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined
}
