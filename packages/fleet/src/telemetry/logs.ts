import { ROOT_CONTEXT, type TraceFlags, trace } from '@opentelemetry/api'
import { SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import type { Resource } from '@opentelemetry/resources'
import { LoggerProvider, type ReadableLogRecord } from '@opentelemetry/sdk-logs'
import type { TelemetryRecord } from '../../../../src/core/fleet-package.ts'
import { attributesOf, GEN_AI } from './attributes.ts'
import { confirmed } from './confirmed.ts'
import { agentSpanId, callIdOf, callSpanId, traceIdOf } from './ids.ts'
import type { SignalExporter } from './signal.ts'

const SAMPLED: TraceFlags = 1
const SEVERITIES: Readonly<Record<string, readonly [SeverityNumber, string]>> = {
  deny: [SeverityNumber.WARN, 'WARN'],
  ask: [SeverityNumber.INFO2, 'INFO2'],
}

/** Each decision is one log record of the event `holdpoint.decision`. */
export function createLogs(resource: Resource, machine: string, scope: string): SignalExporter {
  const exporter = new OTLPLogExporter()
  let collected: ReadableLogRecord[] = []
  const provider = new LoggerProvider({
    resource,
    processors: [
      {
        onEmit: (record) => void collected.push(record),
        forceFlush: async () => {},
        shutdown: async () => {},
      },
    ],
  })
  const logger = provider.getLogger('holdpoint', scope)
  return {
    async send(records) {
      collected = []
      for (const { record, seq } of records) {
        const [severityNumber, severityText] = SEVERITIES[record.effect] ?? [SeverityNumber.INFO, 'INFO']
        logger.emit({
          eventName: 'holdpoint.decision',
          timestamp: new Date(record.at),
          severityNumber,
          severityText,
          body: bodyOf(record),
          attributes: {
            ...attributesOf(record),
            'log.record.uid': record.id,
            'holdpoint.seq': seq,
            'holdpoint.duration_ms': record.durationMs,
            ...(record.input === undefined ? {} : { [GEN_AI.toolArguments]: record.input }),
            ...(record.reason === undefined ? {} : { 'holdpoint.reason': record.reason }),
          },
          context: trace.setSpanContext(ROOT_CONTEXT, spanOf(machine, record)),
        })
      }
      await confirmed((done) => exporter.export(collected, done))
    },
    close: () => exporter.shutdown(),
  }
}

function bodyOf({ effect, tool, event, because }: TelemetryRecord): string {
  const by = because.length === 0 ? '' : ` by ${because.join(', ')}`
  return `${effect} ${tool ?? event}${by}`
}

function spanOf(machine: string, record: TelemetryRecord) {
  const call = callIdOf(record)
  const spanId = call === undefined ? agentSpanId(record) : callSpanId(record, call)
  return { traceId: traceIdOf(machine, record), spanId, traceFlags: SAMPLED }
}
