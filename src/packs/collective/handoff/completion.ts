import type { Event } from '../../../event.ts'
import { isObject, textAt } from '../../../json.ts'
import type { GuardInput } from '../../guard.ts'
import { outputOf } from './output.ts'
import { judgedIn } from './routes.ts'

/** An agent that has ended, or wants to. */
export interface Completion {
  readonly from: string
  readonly text: string | undefined
  /** What its retries are counted under, in the memory of whoever acts. */
  readonly retriesKey: string
}

/** The completion this event is about, where nobody has judged it yet. */
export async function completionOf(input: GuardInput): Promise<Completion | undefined> {
  const { event, actor, facts } = input
  if (event.kind === 'SubagentStop') {
    // A compaction ends like a sub-agent, but of no type.
    if (actor.agentType === undefined) return undefined
    const from = actor.agentType
    // Without an id of its own it has no memory of its own either.
    const retriesKey = event.agentId === undefined ? retriesOf(from) : RETRIES
    return { from, text: await outputOf(event, facts), retriesKey }
  }
  if (event.kind !== 'PostToolUse' || !isFinishedAgent(event)) return undefined
  const id = agentIdOf(event)
  const known = id === undefined ? undefined : input.agents?.find((agent) => agent.id === id)
  if (known !== undefined && judgedIn(known.memory) !== undefined) return undefined
  const from = typeOf(event) ?? known?.type ?? 'the agent'
  return { from, text: await outputOf(event, facts), retriesKey: retriesOf(from) }
}

const RETRIES = 'collective/retries'

function retriesOf(type: string): string {
  return `${RETRIES}/${type.slice(0, 100)}`
}

type AfterCall = Extract<Event, { kind: 'PostToolUse' }>

/** An agent that works beside its parent has only begun when its call is over. */
function isFinishedAgent({ tool, output }: AfterCall): boolean {
  if (tool.name !== 'Agent') return false
  const status = isObject(output) ? textAt(output, 'status') : undefined
  return status === undefined || status === 'completed'
}

/** The agent that the call was about, where the host says so. */
export function agentIdOf(event: Event): string | undefined {
  if (event.kind !== 'PostToolUse' || event.tool.name !== 'Agent' || !isObject(event.output)) return undefined
  return textAt(event.output, 'agentId')
}

function typeOf({ tool, output }: AfterCall): string | undefined {
  return textAt(tool.input, 'subagent_type') ?? (isObject(output) ? textAt(output, 'agentType') : undefined)
}
