import type { AttributeValue } from '@opentelemetry/api'
import type { TelemetryRecord } from '../../../../src/core/fleet-package.ts'
import { callIdOf } from './ids.ts'

/** The names of the GenAI semantic conventions where they fit; everything of Holdpoint's own begins with `holdpoint.`. */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  conversation: 'gen_ai.conversation.id',
  agentId: 'gen_ai.agent.id',
  agentName: 'gen_ai.agent.name',
  toolName: 'gen_ai.tool.name',
  toolCallId: 'gen_ai.tool.call.id',
  toolArguments: 'gen_ai.tool.call.arguments',
} as const

type Attributes = Record<string, AttributeValue>

/** What every signal says about a record. Everything was masked before it was recorded. */
export function attributesOf(record: TelemetryRecord): Attributes {
  const call = callIdOf(record)
  return {
    [GEN_AI.conversation]: record.session,
    ...(record.agent === undefined ? {} : { [GEN_AI.agentId]: record.agent }),
    ...(record.agentType === undefined ? {} : { [GEN_AI.agentName]: record.agentType }),
    ...(record.tool === undefined ? {} : { [GEN_AI.toolName]: record.tool }),
    ...(call === undefined ? {} : { [GEN_AI.toolCallId]: call }),
    'holdpoint.host': record.host,
    'holdpoint.event': record.event,
    'holdpoint.effect': record.effect,
    'holdpoint.project': record.project,
    'holdpoint.plan': record.revision,
    ...(record.because.length === 0 ? {} : { 'holdpoint.because': [...record.because] }),
    ...(record.failed === undefined ? {} : { 'holdpoint.failed': [...record.failed] }),
  }
}
