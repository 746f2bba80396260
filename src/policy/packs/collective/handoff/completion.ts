import type { Event } from '../../../../core/event.ts'
import type { GuardInput } from '../../../../core/guard.ts'
import { isObject, textAt } from '../../../../core/json.ts'
import { lastMessageOf } from './output.ts'
import { judgedIn } from './routes.ts'

/** An agent that has ended or is about to end. */
export interface Completion {
  readonly from: string
  readonly text: string | undefined
  /** The key for its retries in the memory of the acting agent. */
  readonly retriesKey: string
}

/** The completion that this event is about, if it has not been judged yet. */
export async function completionOf(input: GuardInput): Promise<Completion | undefined> {
  const { event, actor, facts } = input
  if (event.kind === 'SubagentStop') {
    // A compaction ends like a sub-agent, but has no agent type.
    if (actor.agentType === undefined) return undefined
    const from = actor.agentType
    // An agent without an id also has no memory.
    const retriesKey = event.agentId === undefined ? retriesOf(from) : RETRIES
    return { from, text: await lastMessageOf(event, facts), retriesKey }
  }
  if (event.kind !== 'PostToolUse' || !isFinishedAgent(event)) return undefined
  const id = agentIdOf(event)
  const known = id === undefined ? undefined : input.agents?.find((agent) => agent.id === id)
  if (known !== undefined && judgedIn(known.memory) !== undefined) return undefined
  const from = typeOf(event) ?? known?.type ?? 'the agent'
  return { from, text: await lastMessageOf(event, facts), retriesKey: retriesOf(from) }
}

const RETRIES = 'collective/retries'

function retriesOf(type: string): string {
  return `${RETRIES}/${type.slice(0, 100)}`
}

type AfterCall = Extract<Event, { kind: 'PostToolUse' }>

/** A background agent has only started when its call is over. */
function isFinishedAgent({ tool, output }: AfterCall): boolean {
  if (tool.name !== 'Agent') return false
  const status = isObject(output) ? textAt(output, 'status') : undefined
  return status === undefined || status === 'completed'
}

/** The agent that the call started, if the host names it. */
export function agentIdOf(event: Event): string | undefined {
  if (event.kind !== 'PostToolUse' || event.tool.name !== 'Agent' || !isObject(event.output)) return undefined
  return textAt(event.output, 'agentId')
}

function typeOf({ tool, output }: AfterCall): string | undefined {
  return textAt(tool.input, 'subagent_type') ?? (isObject(output) ? textAt(output, 'agentType') : undefined)
}
