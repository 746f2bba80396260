import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { HoldpointError } from '../../../src/core/errors.ts'
import {
  TELEMETRY_SIGNALS,
  type TelemetryPackage,
  type TelemetrySignal,
} from '../../../src/core/fleet-package.ts'
import { VERSION } from '../../../src/core/version.ts'
import { createLogs } from './telemetry/logs.ts'
import { createMetrics } from './telemetry/metrics.ts'
import type { SignalExporter } from './telemetry/signal.ts'
import { createTraces } from './telemetry/traces.ts'

/** The entry that the journal thread and `holdpoint fleet export` load. */
export const createTelemetry: TelemetryPackage['createTelemetry'] = ({ resource: about, sessionRecords }) => {
  const env = process.env
  const signals =
    env.OTEL_SDK_DISABLED === 'true' ? [] : TELEMETRY_SIGNALS.filter((signal) => isOn(signal, env))
  for (const signal of signals) checkProtocol(signal, env)
  // What the variables say is stronger than what we know.
  const resource = resourceFromAttributes({
    'service.name': 'holdpoint',
    'service.version': VERSION,
    ...about,
  }).merge(detectResources({ detectors: [envDetector] }))
  const machine = about['service.instance.id'] ?? ''
  const make: Readonly<Record<TelemetrySignal, () => SignalExporter>> = {
    logs: () => createLogs(resource, machine, VERSION),
    metrics: () => createMetrics(resource, VERSION),
    traces: () => createTraces(resource, machine, VERSION, sessionRecords),
  }
  const exporters = new Map(signals.map((signal) => [signal, make[signal]()]))
  return {
    signals,
    async send(signal, records) {
      await exporters.get(signal)?.send(records)
    },
    async close() {
      await Promise.all([...exporters.values()].map((exporter) => exporter.close()))
    },
  }
}

/** `OTEL_LOGS_EXPORTER=none` switches a signal off; the default is `otlp`. */
function isOn(signal: TelemetrySignal, env: NodeJS.ProcessEnv): boolean {
  const name = `OTEL_${signal.toUpperCase()}_EXPORTER`
  const value = env[name] || 'otlp'
  if (value === 'otlp' || value === 'none') return value === 'otlp'
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: name,
    message: `Holdpoint exports to OTLP receivers, and not to "${value.slice(0, 40)}".`,
    fix: 'Use otlp or none.',
  })
}

function checkProtocol(signal: TelemetrySignal, env: NodeJS.ProcessEnv): void {
  const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_PROTOCOL`
  const [name, value] = env[own]
    ? [own, env[own]]
    : ['OTEL_EXPORTER_OTLP_PROTOCOL', env.OTEL_EXPORTER_OTLP_PROTOCOL]
  if (!value || value === 'http/protobuf') return
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: name ?? own,
    message: `Holdpoint speaks http/protobuf, and not "${value.slice(0, 40)}".`,
    fix: 'Every OpenTelemetry collector has a receiver for http/protobuf, usually on port 4318.',
  })
}

const _package: TelemetryPackage = { createTelemetry }
void _package
