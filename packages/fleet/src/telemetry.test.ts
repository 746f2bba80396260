import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { createTelemetryExport, type TelemetryExport } from '../../../src/daemon/fleet/export-telemetry.ts'
import { createMemoryStore } from '../../../src/storage/journal/memory/store.ts'
import { recordOf } from '../../../src/storage/journal/store.contract.ts'
import type { JournalRecord, Store } from '../../../src/storage/journal/store.ts'
import { attributes, type Receiver, startReceiver } from '../test/receiver.ts'
import { createTelemetry } from './telemetry.ts'

let receiver: Receiver
let folder: string
let journal: Store
let nowMs: number
beforeEach(async () => {
  receiver = await startReceiver()
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-otel-'))
  journal = createMemoryStore()
  nowMs = Date.parse('2026-06-01T12:00:00.000Z')
})
afterEach(() => {
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name]
})

function exporting(variables: Record<string, string> = {}, pack = { createTelemetry }): TelemetryExport {
  const made = createTelemetryExport({
    folder,
    journal: () => journal,
    load: () => pack,
    environment: process.env,
    now: () => new Date(nowMs),
    chance: () => 0.5,
  })
  made.use({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_TIMEOUT: '1000', ...variables })
  return made
}

function add(...records: readonly Partial<JournalRecord>[]): void {
  journal.append(
    records.map((record, n) =>
      recordOf({ id: `r${n}`, at: new Date(nowMs - 1000 + n).toISOString(), host: 'claude-code', ...record }),
    ),
  )
}

const ids = () => receiver.logs.map((log) => log.attributes['log.record.uid'])

describe('decisions as logs', () => {
  it('have the time, severity and attributes of the record, in the official format', async () => {
    add({
      id: 'd1',
      at: '2026-06-01T11:59:59.123Z',
      event: 'PreToolUse',
      session: 's1',
      agent: 'a1',
      agentType: 'writer',
      tool: 'Bash',
      input: 'git push --force',
      effect: 'deny',
      because: ['safety/git/force-push'],
      reason: 'Do not.',
      extra: { call: 'toolu_1' },
    })
    expect(
      await exporting({ OTEL_SERVICE_NAME: 'agents', OTEL_RESOURCE_ATTRIBUTES: 'team=payments' }).flush(),
    ).toBe(1)
    expect(receiver.logs).toHaveLength(1)
    expect(receiver.logs[0]).toMatchObject({
      timeUnixNano: '1780315199123000000',
      severityText: 'WARN',
      severityNumber: 'SEVERITY_NUMBER_WARN',
      body: { stringValue: 'deny Bash by safety/git/force-push' },
      attributes: {
        'gen_ai.conversation.id': 's1',
        'gen_ai.agent.id': 'a1',
        'gen_ai.agent.name': 'writer',
        'gen_ai.tool.name': 'Bash',
        'gen_ai.tool.call.id': 'toolu_1',
        'gen_ai.tool.call.arguments': 'git push --force',
        'holdpoint.effect': 'deny',
        'holdpoint.because': ['safety/git/force-push'],
        'holdpoint.reason': 'Do not.',
        'holdpoint.host': 'claude-code',
      },
    })
    expect(receiver.resource).toMatchObject({
      'service.name': 'agents',
      team: 'payments',
      'service.instance.id': expect.any(String),
    })
  })

  it('name the span of their call', async () => {
    const call = { session: 's1', tool: 'Bash', extra: { call: 'c1' } }
    add({ ...call, event: 'PreToolUse' }, { ...call, event: 'PostToolUse' })
    await exporting().flush()
    const [span] = receiver.spans
    expect(new Set(receiver.logs.map(({ spanId }) => spanId))).toEqual(new Set([span?.spanId]))
    expect(receiver.logs[0]?.traceId).toBe(span?.traceId)
  })
})

describe('a session as a trace', () => {
  const at = (second: number) =>
    new Date(Date.parse('2026-06-01T11:30:00.000Z') + second * 1000).toISOString()
  const nano = (second: number) => `${Date.parse(at(second))}000000`

  it('has its sub-agents and tool calls below it', async () => {
    const main = { session: 's1' }
    const sub = { session: 's1', agent: 'a1', agentType: 'reviewer' }
    add(
      { ...main, at: at(0), event: 'SessionStart' },
      {
        ...main,
        at: at(1),
        event: 'PreToolUse',
        tool: 'Bash',
        effect: 'ask',
        because: ['g1'],
        extra: { call: 'c1' },
      },
      { ...main, at: at(4), event: 'PostToolUse', tool: 'Bash', extra: { call: 'c1' } },
      { ...sub, at: at(5), event: 'SubagentStart' },
      { ...sub, at: at(6), event: 'PreToolUse', tool: 'Read', extra: { call: 'c2' } },
      { ...sub, at: at(7), event: 'PostToolUseFailure', tool: 'Read', extra: { call: 'c2' } },
      {
        ...main,
        at: at(8),
        event: 'PreToolUse',
        tool: 'Write',
        effect: 'deny',
        durationMs: 500,
        extra: { call: 'c3' },
      },
      { ...sub, at: at(9), event: 'SubagentStop' },
      { ...main, at: at(10), event: 'PreToolUse', tool: 'Edit', extra: { call: 'c4' } },
      { ...main, at: at(20), event: 'SessionEnd' },
    )
    await exporting().flush()
    const named = new Map(receiver.spans.map((span) => [span.name, span]))
    const [session, agent] = [named.get('invoke_agent claude-code'), named.get('invoke_agent reviewer')]
    const parents = [...named].map(([name, { parentSpanId }]) => [
      name,
      parentSpanId === session?.spanId ? 'session' : parentSpanId === agent?.spanId ? 'agent' : parentSpanId,
    ])
    expect(Object.fromEntries(parents)).toEqual({
      'invoke_agent claude-code': undefined,
      'invoke_agent reviewer': 'session',
      'execute_tool Bash': 'session',
      'execute_tool Read': 'agent',
      'execute_tool Write': 'session',
      'execute_tool Edit': 'session',
    })
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1)
    expect(session).toMatchObject({ startTimeUnixNano: nano(0), endTimeUnixNano: nano(20) })
    expect(agent).toMatchObject({ startTimeUnixNano: nano(5), endTimeUnixNano: nano(9) })
    expect(named.get('execute_tool Bash')).toMatchObject({
      startTimeUnixNano: nano(1),
      endTimeUnixNano: nano(4),
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'holdpoint.effect': 'ask',
        'holdpoint.because': ['g1'],
      },
    })
    expect(named.get('execute_tool Read')).toMatchObject({ status: { code: 'STATUS_CODE_ERROR' } })
    expect(named.get('execute_tool Write')).toMatchObject({
      startTimeUnixNano: nano(7.5),
      endTimeUnixNano: nano(8),
    })
    expect(receiver.spans).toHaveLength(6)
  })

  it('has the same ids if it is sent again', async () => {
    add({ event: 'PostToolUse', tool: 'Bash', extra: { call: 'c1', toolMs: 2000 } })
    await exporting().flush()
    const first = receiver.spans.map(({ traceId, spanId, startTimeUnixNano }) => [
      traceId,
      spanId,
      startTimeUnixNano,
    ])
    rmSync(join(folder, 'telemetry.json'))
    await exporting().flush()
    expect(
      receiver.spans
        .slice(1)
        .map(({ traceId, spanId, startTimeUnixNano }) => [traceId, spanId, startTimeUnixNano]),
    ).toEqual(first)
  })
})

describe('figures as metrics', () => {
  it('count decisions, stops and failures, and measure time', async () => {
    add(
      { effect: 'deny', because: ['g1', 'g2'], durationMs: 2 },
      { effect: 'deny', because: ['g1'], durationMs: 4 },
      { failed: ['h1: timeout (too slow)'], durationMs: 30 },
    )
    await exporting().flush()
    const figures = points('holdpoint.decisions')
    expect(figures.map(([about, value]) => [about['holdpoint.effect'], value]).sort()).toEqual([
      ['deny', '2'],
      ['pass', '1'],
    ])
    expect(
      points('holdpoint.stops')
        .map(([about, value]) => [about['holdpoint.guard'], value])
        .sort(),
    ).toEqual([
      ['g1', '2'],
      ['g2', '1'],
    ])
    expect(
      points('holdpoint.hook.failures').map(([about, value]) => [about['holdpoint.hook'], value]),
    ).toEqual([['h1', '1']])
    const duration = receiver.metrics.find(
      ({ name }) => name === 'holdpoint.decision.duration',
    ) as unknown as {
      unit: string
      histogram: { dataPoints: { count: string; sum: number }[] }
    }
    expect(duration.unit).toBe('s')
    expect(duration.histogram.dataPoints.reduce((sum, point) => sum + Number(point.count), 0)).toBe(3)
    expect(duration.histogram.dataPoints.reduce((sum, point) => sum + point.sum, 0)).toBeCloseTo(0.036)
  })

  it('count nothing twice if the receiver was away', async () => {
    add({ effect: 'deny', because: ['g1'] })
    const telemetry = exporting({ OTEL_LOGS_EXPORTER: 'none', OTEL_TRACES_EXPORTER: 'none' })
    receiver.answer = () => 400
    await expect(telemetry.flush()).rejects.toThrow('did not take it')
    receiver.answer = () => 200
    add({ id: 'later', effect: 'deny', because: ['g1'] })
    await telemetry.flush()
    expect(points('holdpoint.stops').at(-1)?.[1]).toBe('2')
  })

  function points(name: string): (readonly [Readonly<Record<string, unknown>>, unknown])[] {
    return receiver.metrics
      .filter((metric) => metric.name === name)
      .flatMap((metric) => {
        const { dataPoints } = metric.sum as {
          dataPoints: { attributes: never[]; asDouble?: number; asInt?: string }[]
        }
        return dataPoints.map(
          (point) => [attributes(point.attributes), String(point.asInt ?? point.asDouble)] as const,
        )
      })
  }
})

describe('the export', () => {
  it('sends each record once while all is well, and goes on where it was after a restart', async () => {
    add(...Array.from({ length: 450 }, (_, n) => ({ id: `a${n}` })))
    await exporting().flush()
    expect(ids()).toHaveLength(450)
    add({ id: 'later' })
    await exporting().flush()
    expect(ids()).toHaveLength(451)
    expect(ids().at(-1)).toBe('later')
  })

  it('begins with the last hour when it is switched on', async () => {
    add({ id: 'old', at: '2026-05-01T00:00:00.000Z' }, { id: 'recent' })
    await exporting().flush()
    expect(ids()).toEqual(['recent'])
  })

  test.each<[string, ReturnType<Receiver['answer']>]>([
    ['refuses', 400],
    ['fails', 500],
    ['asks for a pause', 503],
    ['hangs', 'hang'],
  ])('keeps what the receiver did not take: it %s', async (_name, status) => {
    add({ id: 'a' })
    const telemetry = exporting({ OTEL_METRICS_EXPORTER: 'none', OTEL_TRACES_EXPORTER: 'none' })
    receiver.answer = () => status
    await expect(telemetry.flush()).rejects.toThrow('did not take it')
    expect(ids()).toEqual([])
    add({ id: 'b' })
    receiver.answer = () => 200
    await telemetry.flush()
    expect(ids()).toEqual(['a', 'b'])
  })

  it('sends the other signals if one of them is refused', async () => {
    add({ id: 'a', event: 'PostToolUse', tool: 'Bash' })
    const telemetry = exporting()
    receiver.answer = (path) => (path === '/v1/metrics' ? 404 : 200)
    const cursors = () => {
      telemetry.tick()
      const file = join(folder, 'telemetry.json')
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    }
    // The receiver has the last signal before its cursor is written.
    await expect.poll(cursors, { timeout: 60_000 }).toEqual({ logs: 1, traces: 1 })
    expect(ids()).toEqual(['a'])
    expect(receiver.spans).toHaveLength(1)
    expect(telemetry.trouble()).toContain('telemetry, metrics')
  })

  it('goes on with a journal that was started anew', async () => {
    add({ id: 'a' }, { id: 'b' }, { id: 'c' })
    await exporting().flush()
    journal = createMemoryStore()
    add({ id: 'new' })
    await exporting().flush()
    expect(ids()).toEqual(['a', 'b', 'c', 'new'])
  })

  it('starts over the last hour if its cursor cannot be read, rather than leaving something out', async () => {
    add({ id: 'a' })
    await exporting().flush()
    writeFileSync(join(folder, 'telemetry.json'), '{')
    await exporting().flush()
    expect(ids()).toEqual(['a', 'a'])
  })

  test.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'http/protobuf'],
    [{ OTEL_LOGS_EXPORTER: 'console' }, 'otlp or none'],
  ])('says what is wrong with %j', async (variables, why) => {
    const telemetry = exporting(variables)
    expect(telemetry.trouble()).toContain(why)
    await expect(telemetry.flush()).rejects.toThrow(why)
  })

  it('is off without variables, and with OTEL_SDK_DISABLED', async () => {
    add({ id: 'a' })
    await exporting({ OTEL_SDK_DISABLED: 'true' }).flush()
    const off = exporting()
    off.use({})
    await off.flush()
    expect(receiver.requests).toEqual([])
  })

  it('sends the headers of the variables', async () => {
    add({ id: 'a' })
    await exporting({ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret' }).flush()
    expect(receiver.requests.every(({ headers }) => headers['x-key'] === 'secret')).toBe(true)
  })
})
