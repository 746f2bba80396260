import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import type { Resource } from '@opentelemetry/resources'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { confirmed } from './confirmed.ts'
import type { SignalExporter } from './signal.ts'

/** Collected when records were counted, not by a timer. The SDK wants a class here. */
class OnDemandReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

/** Seconds, as the conventions want; a decision takes microseconds to seconds. */
const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(resource: Resource, scope: string): SignalExporter {
  const exporter = new OTLPMetricExporter()
  const reader = new OnDemandReader({
    aggregationTemporalitySelector: (type) => exporter.selectAggregationTemporality(type),
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  const meter = provider.getMeter('holdpoint', scope)
  const decisions = meter.createCounter('holdpoint.decisions', {
    unit: '{decision}',
    description: 'Decisions, by effect.',
  })
  const stops = meter.createCounter('holdpoint.stops', {
    unit: '{decision}',
    description: 'Calls that a guard stopped.',
  })
  const failures = meter.createCounter('holdpoint.hook.failures', {
    unit: '{failure}',
    description: 'Hooks that failed.',
  })
  const durations = meter.createHistogram('holdpoint.decision.duration', {
    unit: 's',
    description: 'How long a decision took.',
    advice: { explicitBucketBoundaries: BUCKETS_SECONDS },
  })
  /** Counted already, though perhaps not confirmed: figures that are sent again must not count records again. */
  let countedThrough = -1
  return {
    async send(records) {
      for (const { seq, record } of records.filter((each) => each.seq > countedThrough)) {
        const about = {
          'holdpoint.host': record.host,
          'holdpoint.event': record.event,
          'holdpoint.effect': record.effect,
        }
        decisions.add(1, about)
        durations.record(record.durationMs / 1000, about)
        if (record.effect === 'deny' || record.effect === 'ask') {
          for (const guard of record.because) {
            stops.add(1, {
              'holdpoint.guard': guard,
              'holdpoint.effect': record.effect,
              'holdpoint.host': record.host,
            })
          }
        }
        for (const failed of record.failed ?? [])
          failures.add(1, { 'holdpoint.hook': failed.split(':')[0] ?? '' })
        countedThrough = seq
      }
      const { resourceMetrics } = await reader.collect()
      await confirmed((done) => exporter.export(resourceMetrics, done))
    },
    async close() {
      await provider.shutdown()
      await exporter.shutdown()
    },
  }
}
