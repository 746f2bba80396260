import { type AttributeValue, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { Resource } from '@opentelemetry/resources'
import { AlwaysOnSampler, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace'
import type { TelemetryOptions, TelemetryRecord } from '../../../../src/core/fleet-package.ts'
import { attributesOf, GEN_AI } from './attributes.ts'
import { confirmed } from './confirmed.ts'
import { agentSpanId, callIdOf, callSpanId, sessionSpanId, traceIdOf } from './ids.ts'
import type { SignalExporter } from './signal.ts'

/** A span as it follows from the records. */
interface Planned {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentId?: string
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Record<string, AttributeValue>
  readonly failed?: boolean
}

/**
 * A session is a trace: its sub-agents and tool calls are spans below it. A span is sent when the record arrives that
 * ends it; calls without an end, because the host does not report it, are sent when the session ends.
 */
export function createTraces(
  resource: Resource,
  machine: string,
  scope: string,
  sessionRecords: TelemetryOptions['sessionRecords'],
): SignalExporter {
  const exporter = new OTLPTraceExporter()
  let collected: ReadableSpan[] = []
  /** The ids of the span that is made next. */
  let ids = { traceId: '', spanId: '' }
  const provider = new TracerProvider({
    resource,
    sampler: new AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
    spanProcessors: [
      {
        onStart: () => {},
        onEnd: (span) => void collected.push(span),
        forceFlush: async () => {},
        shutdown: async () => {},
      },
    ],
  })
  const tracer = provider.getTracer('holdpoint', scope)
  const make = ({ traceId, spanId, parentId, name, startMs, endMs, attributes, failed }: Planned) => {
    ids = { traceId, spanId }
    const parent =
      parentId === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags: 1, isRemote: true })
    const span = tracer.startSpan(name, { startTime: startMs, kind: SpanKind.INTERNAL, attributes }, parent)
    if (failed === true) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(Math.max(startMs, endMs))
  }
  return {
    async send(records) {
      collected = []
      const known = new Map<string, readonly TelemetryRecord[]>()
      const recordsOf = (session: string) => {
        const found = known.get(session) ?? sessionRecords(session).map(({ record }) => record)
        known.set(session, found)
        return found
      }
      for (const { record } of records) for (const span of spansAt(record, machine, recordsOf)) make(span)
      if (collected.length > 0) await confirmed((done) => exporter.export(collected, done))
    },
    async close() {
      await provider.shutdown()
      await exporter.shutdown()
    },
  }
}

type RecordsOf = (session: string) => readonly TelemetryRecord[]

/** The spans that end with this record. */
function spansAt(record: TelemetryRecord, machine: string, recordsOf: RecordsOf): readonly Planned[] {
  switch (record.event) {
    case 'PreToolUse':
      return record.effect === 'deny' ? [deniedCall(record, machine)] : []
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return [endedCall(record, machine, recordsOf)]
    case 'SubagentStop':
      return record.agent === undefined ? [] : [endedAgent(record, machine, recordsOf)]
    case 'SessionEnd':
      return [endedSession(record, machine, recordsOf), ...openCalls(record, machine, recordsOf)]
    default:
      return []
  }
}

const timeOf = ({ at }: TelemetryRecord) => Date.parse(at)

function callSpan(record: TelemetryRecord, machine: string, startMs: number, endMs: number): Planned {
  const call = callIdOf(record) ?? record.id
  return {
    name: `execute_tool ${record.tool ?? ''}`.trim(),
    traceId: traceIdOf(machine, record),
    spanId: callSpanId(record, call),
    parentId: agentSpanId(record),
    startMs,
    endMs,
    attributes: { [GEN_AI.operation]: 'execute_tool', ...attributesOf(record) },
  }
}

/** It never ran: the span is as long as the decision took. */
function deniedCall(record: TelemetryRecord, machine: string): Planned {
  return callSpan(record, machine, timeOf(record) - record.durationMs, timeOf(record))
}

function endedCall(record: TelemetryRecord, machine: string, recordsOf: RecordsOf): Planned {
  const call = callIdOf(record)
  const before = recordsOf(record.session).findLast(
    (each) => each.event === 'PreToolUse' && callIdOf(each) === call && call !== undefined,
  )
  const toolMs = typeof record.extra?.toolMs === 'number' ? record.extra.toolMs : 0
  const startMs = before === undefined ? timeOf(record) - toolMs : timeOf(before)
  const span = callSpan(record, machine, startMs, timeOf(record))
  // The decision was made before the call, so its effect and its reasons belong to the span.
  const decided = before === undefined ? {} : attributesOf(before)
  return {
    ...span,
    attributes: { ...span.attributes, ...decided },
    ...(record.event === 'PostToolUseFailure' ? { failed: true } : {}),
  }
}

function endedAgent(record: TelemetryRecord, machine: string, recordsOf: RecordsOf): Planned {
  const first = recordsOf(record.session).find(({ agent }) => agent === record.agent) ?? record
  return {
    name: `invoke_agent ${record.agentType ?? record.agent ?? ''}`.trim(),
    traceId: traceIdOf(machine, record),
    spanId: agentSpanId(record),
    parentId: sessionSpanId(record),
    startMs: timeOf(first),
    endMs: timeOf(record),
    attributes: { [GEN_AI.operation]: 'invoke_agent', ...attributesOf(record) },
  }
}

function endedSession(record: TelemetryRecord, machine: string, recordsOf: RecordsOf): Planned {
  const [first = record] = recordsOf(record.session)
  return {
    name: `invoke_agent ${record.host}`,
    traceId: traceIdOf(machine, record),
    spanId: sessionSpanId(record),
    startMs: timeOf(first),
    endMs: timeOf(record),
    attributes: {
      [GEN_AI.operation]: 'invoke_agent',
      ...attributesOf(record),
      [GEN_AI.agentName]: record.host,
    },
  }
}

function openCalls(record: TelemetryRecord, machine: string, recordsOf: RecordsOf): readonly Planned[] {
  const all = recordsOf(record.session)
  const ended = new Set(all.filter(({ event }) => event.startsWith('PostToolUse')).map(callIdOf))
  return all
    .filter((each) => each.event === 'PreToolUse' && each.effect !== 'deny' && !ended.has(callIdOf(each)))
    .map((each) => callSpan(each, machine, timeOf(each), timeOf(each)))
}
