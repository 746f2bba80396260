import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import protobuf from 'protobufjs'

/** An OTLP receiver that reads what it gets with the official protocol definitions. */
export interface Receiver {
  readonly url: string
  readonly logs: readonly Decoded[]
  readonly spans: readonly Decoded[]
  readonly metrics: readonly Decoded[]
  /** The attributes of the last resource. */
  resource: Readonly<Record<string, unknown>>
  requests: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[]
  /** How the next requests are answered. */
  answer: (path: string) => number | 'hang' | 'garbage'
  close(): void
}

/** A message as plain data, with its attributes by name. */
export type Decoded = Readonly<Record<string, unknown>> & {
  readonly attributes: Readonly<Record<string, unknown>>
}

export async function startReceiver(): Promise<Receiver> {
  const root = new protobuf.Root()
  const protos = join(import.meta.dirname, 'protos')
  root.resolvePath = (_origin, target) => join(protos, target)
  for (const signal of ['logs', 'trace', 'metrics']) {
    root.loadSync(`opentelemetry/proto/collector/${signal}/v1/${signal}_service.proto`)
  }
  const types = {
    '/v1/logs': root.lookupType('opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest'),
    '/v1/traces': root.lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest'),
    '/v1/metrics': root.lookupType('opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest'),
  }
  const logs: Decoded[] = []
  const spans: Decoded[] = []
  const metrics: Decoded[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      receiver.requests.push({ path, headers: request.headers })
      const status = receiver.answer(path)
      if (status === 'hang') return
      if (status === 'garbage') return void response.end('<html>')
      const type = types[path as keyof typeof types]
      if (status === 200 && type !== undefined) {
        const packed = Buffer.concat(chunks)
        const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(packed) : packed
        // Fails loudly if the bytes are not what the definition says.
        const message = type.decode(bytes)
        const wrong = type.verify(message)
        if (wrong !== null) throw new Error(wrong)
        keep(type.toObject(message, { longs: String, bytes: String, enums: String, arrays: true }))
      }
      response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  function keep(value: Record<string, unknown>): void {
    for (const [list, scopes, items, to] of [
      ['resourceLogs', 'scopeLogs', 'logRecords', logs],
      ['resourceSpans', 'scopeSpans', 'spans', spans],
      ['resourceMetrics', 'scopeMetrics', 'metrics', metrics],
    ] as const) {
      for (const each of (value[list] ?? []) as Record<string, never>[]) {
        const { resource } = each as { resource?: { attributes?: KeyValue[] } }
        receiver.resource = attributes(resource?.attributes ?? [])
        for (const scope of (each[scopes] ?? []) as Record<string, never>[]) {
          for (const item of (scope[items] ?? []) as Record<string, unknown>[]) {
            to.push({ ...item, attributes: attributes((item.attributes ?? []) as KeyValue[]) })
          }
        }
      }
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ logs, spans, metrics, resource: {}, requests: [] },
    answer: () => 200,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}

interface KeyValue {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

export function attributes(list: readonly KeyValue[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(list.map(({ key, value }) => [key, attributeValue(value)]))
}

function attributeValue(value: Readonly<Record<string, unknown>>): unknown {
  const array = value.arrayValue as { values?: Readonly<Record<string, unknown>>[] } | undefined
  return array === undefined ? Object.values(value)[0] : (array.values ?? []).map(attributeValue)
}
