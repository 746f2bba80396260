import { toolOf } from '../../../../core/event.ts'
import type { GuardInput } from '../../../../core/guard.ts'
import type { JsonObject } from '../../../../core/json.ts'
import { type EventType, type Metric, SCHEMA, shortName } from '../../../metrics/metric.ts'
import { readMetricOptions } from './options.ts'
import { toolData } from './tool-data.ts'

export type MetricInput = Pick<GuardInput, 'event' | 'actor' | 'facts' | 'options'>

/** The metric that an event adds. Undefined if it adds none. */
export function metricOf(about: MetricInput): Metric | undefined {
  const { event, facts, options } = about
  if (event.session === '') return undefined
  switch (event.kind) {
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return metric(about, 'tool', callId(about), toolData(event, facts, readMetricOptions(options)))
    case 'SessionStart':
      return metric(about, 'session-start', event.source, { source: event.source })
    case 'SubagentStart':
      return event.agentId === undefined ? undefined : metric(about, 'agent-start', '', {})
    case 'SubagentStop':
      // A compaction ends like a sub-agent, but has no agent.
      return event.agentId === undefined ? undefined : metric(about, 'agent-stop', '', {})
    case 'Stop':
      return event.agentId === undefined ? metric(about, 'stop', '', {}) : undefined
    case 'SessionEnd':
      return metric(about, 'session-end', event.reason, { reason: shortName(event.reason) })
    default:
      return undefined
  }
}

export function metric(about: MetricInput, eventType: EventType, id: string, data: JsonObject): Metric {
  const { event, actor, facts } = about
  const agentType = actor.agentType
  return {
    schema: SCHEMA,
    id: [eventType, event.agentId ?? 'main', id].join('/').slice(0, ID_CHARACTERS_MAX),
    sessionId: event.session.slice(0, ID_CHARACTERS_MAX),
    timestamp: facts.now().toISOString(),
    eventType,
    data,
    metadata: {
      host: event.host,
      ...(event.agentId === undefined ? {} : { agentId: event.agentId.slice(0, ID_CHARACTERS_MAX) }),
      ...(agentType === undefined ? {} : { agentType: shortName(agentType) }),
      ...(actor.parent === undefined ? {} : { parent: actor.parent.slice(0, ID_CHARACTERS_MAX) }),
    },
  }
}

const ID_CHARACTERS_MAX = 200

/** The same for two deliveries of one call. If the host gives no call id, each delivery counts separately. */
function callId({ event, facts }: MetricInput): string {
  const tool = toolOf(event)
  const which = tool?.useId ?? String(facts.now().getTime())
  return [event.kind, event.promptId ?? '', which, tool?.name ?? ''].join('/')
}
