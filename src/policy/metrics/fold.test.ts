import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { addFigures, NO_FIGURES, OTHERS } from './figures.ts'
import { foldMetrics } from './fold.ts'
import { type EventType, type Metric, parseMetric } from './metric.ts'
import { confidenceOf, researchOf } from './research.ts'

let ids = 0
function at(
  seconds: number,
  eventType: EventType,
  data: JsonObject = {},
  metadata: JsonObject = {},
  id = `m${(ids += 1)}`,
): Metric {
  const timestamp = new Date(Date.UTC(2026, 0, 15, 12, 0, seconds)).toISOString()
  return { schema: 1, id, sessionId: 's1', timestamp, eventType, data, metadata }
}
const tool = (seconds: number, name: string, more: JsonObject = {}, metadata: JsonObject = {}, id?: string) =>
  at(seconds, 'tool', { tool: name, ok: true, ...more }, metadata, id)
const agent = (id: string, type: string, parent = 'unknown') => ({ agentId: id, agentType: type, parent })

describe('the totals of a session', () => {
  it('are empty without metrics', () => {
    expect(foldMetrics([])).toEqual(NO_FIGURES)
    expect(addFigures([])).toEqual(NO_FIGURES)
  })

  it('count calls, failures and time by tool (R-002-57)', () => {
    const { tools, from, to } = foldMetrics([
      tool(0, 'Bash', { durationMs: 100 }),
      tool(1, 'Bash', { durationMs: 300, ok: false }),
      tool(2, 'Bash'),
      tool(9, 'Read', { durationMs: -1, load: 'reads' }),
    ])
    expect(tools).toEqual([
      { name: 'Bash', calls: 3, failed: 1, timed: 2, totalMs: 400, maxMs: 300 },
      { name: 'Read', calls: 1, failed: 0, timed: 0, totalMs: 0, maxMs: 0 },
    ])
    expect([from, to]).toEqual(['2026-01-15T12:00:00.000Z', '2026-01-15T12:00:09.000Z'])
  })

  it('count a second delivery once, and a later call with the same id as another call', () => {
    const twice = [tool(0, 'Bash', {}, {}, 'x'), tool(1, 'Bash', {}, {}, 'x'), tool(60, 'Bash', {}, {}, 'x')]
    expect(foldMetrics(twice).tools[0]?.calls).toBe(2)
  })

  it('measure agents from start to last stop, in any order of the lines', () => {
    const { agents } = foldMetrics([
      at(9, 'agent-stop', {}, agent('a1', 'tester')),
      tool(3, 'Bash', {}, agent('a1', 'tester')),
      at(1, 'agent-start', {}, agent('a1', 'tester')),
      at(2, 'agent-start', {}, agent('a2', 'tester')),
    ])
    expect(agents).toEqual([{ name: 'tester', runs: 2, finished: 1, totalMs: 8_000, maxMs: 8_000, calls: 1 }])
  })

  it('find out which agent called which from every available source (R-002-11)', () => {
    const call = (type: string, id?: string) => ({ agent: { type, ...(id === undefined ? {} : { id }) } })
    const { routes } = foldMetrics([
      // Known from the response of the call.
      at(0, 'agent-start', {}, agent('a1', 'planner')),
      tool(5, 'Agent', call('planner', 'a1')),
      // Known from the agent itself, once its parent is known.
      at(1, 'agent-start', {}, agent('a2', 'tester')),
      at(2, 'agent-stop', {}, agent('a2', 'tester', 'a1')),
      // Not reported, but exactly one call fits.
      at(3, 'agent-start', {}, agent('a3', 'writer')),
      tool(4, 'Agent', call('writer')),
      // Unknown.
      at(6, 'agent-start', {}, agent('a4', 'ghost')),
    ])
    expect(routes).toEqual([
      { from: 'main', to: 'planner', count: 1 },
      { from: 'main', to: 'writer', count: 1 },
      { from: 'planner', to: 'tester', count: 1 },
      { from: 'unknown', to: 'ghost', count: 1 },
    ])
  })

  it('count only calls if the host reports nothing about its agents, and no failed calls', () => {
    const calls = [
      tool(0, 'Agent', { agent: { type: 'x' } }),
      tool(1, 'Agent', { agent: { type: 'y' }, ok: false }),
    ]
    expect(foldMetrics(calls).routes).toEqual([{ from: 'main', to: 'x', count: 1 }])
  })

  it('count handoffs, and tests from every source', () => {
    const { handoffs, tests } = foldMetrics([
      at(0, 'handoff', {
        from: 'dev',
        outcome: 'held',
        retries: 0,
        test: { runner: 'vitest', outcome: 'failed' },
      }),
      at(1, 'handoff', { from: 'dev', outcome: 'routed', to: 'qa' }),
      at(2, 'handoff', { from: 'dev', outcome: 'vanished' }),
      tool(3, 'Bash', { test: { runner: 'vitest', outcome: 'passed' } }),
      tool(4, 'Bash', { test: { runner: 'vitest', outcome: 'what' } }),
    ])
    expect(handoffs).toEqual([
      { from: 'dev', to: '', routed: 0, completed: 0, held: 1, failed: 0 },
      { from: 'dev', to: 'qa', routed: 1, completed: 0, held: 0, failed: 0 },
    ])
    expect(tests).toEqual([{ runner: 'vitest', passed: 1, failed: 1, unclear: 1 }])
  })

  it('keep a limited number of names, and lose no count', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => tool(n, `tool-${n}-${'x'.repeat(200)}`))
    const { tools } = foldMetrics(many)
    expect(tools).toHaveLength(200)
    expect(tools.reduce((sum, { calls }) => sum + calls, 0)).toBe(5_000)
    expect(tools[0]).toMatchObject({ name: OTHERS, calls: 4_801 })
    expect(Math.max(...tools.map(({ name }) => name.length))).toBeLessThanOrEqual(100)
  })

  it('are the same if added in one step or in several', () => {
    const one = foldMetrics([tool(0, 'Bash', { durationMs: 5 }), at(1, 'stop')])
    const two = foldMetrics([tool(2, 'Bash', { durationMs: 9 }), tool(3, 'Read', { load: 'reads' })])
    const three = foldMetrics([at(4, 'agent-start', {}, agent('a', 't'))])
    const whole = addFigures([one, two, three])
    expect(addFigures([addFigures([one, two]), three])).toEqual(whole)
    expect(addFigures([three, two, one])).toEqual(whole)
    expect(whole).toMatchObject({ sessions: 3, turns: 1, loads: { reads: 1 } })
  })
})

describe('a line of metrics', () => {
  it.each([
    ['', false],
    ['{"schema":1', false],
    ['[]', false],
    ['null', false],
    [
      '{"schema":2,"id":"x","sessionId":"s","timestamp":"2026-01-15T12:00:00Z","eventType":"stop","data":{},"metadata":{}}',
      false,
    ],
    [
      '{"schema":1,"id":"x","sessionId":"s","timestamp":"yesterday","eventType":"stop","data":{},"metadata":{}}',
      false,
    ],
    [
      '{"schema":1,"id":"x","sessionId":"s","timestamp":"2026-01-15T12:00:00Z","eventType":"nap","data":{},"metadata":{}}',
      false,
    ],
    [
      '{"schema":1,"id":"x","sessionId":"s","timestamp":"2026-01-15T12:00:00Z","eventType":"stop","data":[],"metadata":{}}',
      false,
    ],
    [
      '{"schema":1,"id":"x","sessionId":"s","timestamp":"2026-01-15T12:00:00Z","eventType":"stop","data":{},"metadata":{}}',
      true,
    ],
  ])('is %s: %s', (line, isRead) => {
    expect(parseMetric(line) !== undefined).toBe(isRead)
  })
})

describe('the research questions', () => {
  it.each([
    [0, 0.5],
    [29, 0.5],
    [30, 0.7],
    [99, 0.7],
    [100, 0.85],
    [499, 0.85],
    [500, 0.9],
    [999, 0.9],
    [1000, 0.95],
  ])('with %i observations have the confidence %f', (n, confidence) => {
    expect(confidenceOf(n)).toBe(confidence)
  })

  it('are answered from the totals (R-002-11)', () => {
    const figures = foldMetrics([
      tool(0, 'Read', { load: 'reads' }),
      tool(1, 'Grep', { load: 'searches' }),
      tool(2, 'Bash', { test: { runner: 'pytest', outcome: 'passed' } }),
      tool(3, 'Bash', { test: { runner: 'pytest', outcome: 'failed' } }),
      at(4, 'agent-start', {}, agent('a1', 'routing-agent', 'main')),
      at(5, 'agent-start', {}, agent('a2', 'dev', 'a1')),
      at(6, 'agent-start', {}, agent('a3', 'qa', 'a2')),
      at(7, 'agent-start', {}, agent('a4', 'who')),
    ])
    expect(researchOf(figures)).toEqual({
      jit: { rate: 0.5, n: 4, confidence: 0.5, loads: 2, calls: 4 },
      hubSpoke: { rate: 0.667, n: 3, confidence: 0.5, throughHub: 2, peerToPeer: 1, unknown: 1 },
      tdd: { rate: 0.5, n: 2, confidence: 0.5, passed: 1, failed: 1, handoffs: 0, held: 0 },
    })
    expect(researchOf(NO_FIGURES).tdd.rate).toBeNull()
  })
})
