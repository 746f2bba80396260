import { describe, expect, it } from 'vitest'
import { addFigures, type Figures, NO_FIGURES } from '../../policy/metrics/figures.ts'
import type { JournalRecord } from '../../storage/journal/store.ts'
import { csvReport } from './csv.ts'
import { foldRecords } from './decisions.ts'
import { markdownReport } from './markdown.ts'
import { pageReport } from './page/page.ts'
import { buildReport, type Report } from './report.ts'
import { slotsOf } from './slots.ts'
import { terminalReport } from './terminal.ts'
import { duration, grouped } from './words.ts'

function record(more: Partial<JournalRecord> = {}): JournalRecord {
  return {
    id: 'r',
    at: '2026-01-15T12:00:00.000Z',
    host: 'test',
    event: 'PreToolUse',
    session: 's',
    cwd: '/p',
    project: '/p',
    effect: 'pass',
    because: [],
    durationMs: 1,
    revision: 'rev',
    ...more,
  }
}
const AT = new Date('2026-01-16T00:00:00Z')
const made = (records: Iterable<JournalRecord>, figures: Figures = NO_FIGURES): Report =>
  buildReport(
    { project: '/srv/project' },
    foldRecords(records),
    [{ figures, brokenLines: 0, brokenFiles: 0 }],
    AT,
  )
const plain = (text: string) => text
const SCREEN = {
  columns: 100,
  colour: { deny: plain, ask: plain, allow: plain, pass: plain, plain, dim: plain, bold: plain },
  visible: plain,
}
const forms: [string, (report: Report) => string][] = [
  ['terminal', (report) => terminalReport(report, SCREEN)],
  ['Markdown', markdownReport],
  ['CSV', csvReport],
  ['page', pageReport],
  ['JSON', (report) => JSON.stringify(report)],
]

describe('the statistics from the journal', () => {
  it('count decisions by guard and effect, and failures', () => {
    const { guards, effects, records, sessions, decidingMs } = foldRecords([
      record({ effect: 'deny', because: ['a', 'b'] }),
      record({ effect: 'deny', because: ['a'], session: 't' }),
      record({ effect: 'ask', because: ['b'], failed: ['c: crash (it: fell)'] }),
      record({ effect: 'pass', because: [], session: '' }),
      record({ effect: 'deny', because: ['a'], extra: { repeated: true } }),
    ])
    expect(guards).toEqual([
      { name: 'a', deny: 2, ask: 0, allow: 0, failed: 0 },
      { name: 'b', deny: 1, ask: 1, allow: 0, failed: 0 },
      { name: 'c', deny: 0, ask: 0, allow: 0, failed: 1 },
    ])
    expect([effects, records, sessions, decidingMs]).toEqual([
      { pass: 1, allow: 0, ask: 1, deny: 2 },
      4,
      2,
      4,
    ])
  })

  it('K-29: counts a call once that several hook entries asked about', () => {
    const asked = (at: string, more: Partial<JournalRecord> = {}) =>
      record({ at: `2026-01-15T12:${at}Z`, effect: 'deny', because: ['a'], extra: { call: 'c1' }, ...more })
    const { effects, guards } = foldRecords([
      asked('00:00.000'),
      asked('00:00.200'),
      asked('00:01.000'),
      asked('00:01.000', { agent: 'a1' }),
      // An agent that counts its ids anew.
      asked('10:00.000'),
    ])
    expect(effects.deny).toBe(3)
    expect(guards).toMatchObject([{ name: 'a', deny: 3 }])
  })

  it('K-29: counts sub-agents without metrics, and a compaction is not one', () => {
    const inside = { agent: 'a1', agentType: 'qa' }
    const { decisions, work } = made([
      record({ event: 'SubagentStart', at: '2026-01-15T12:00:00Z', ...inside }),
      record({ event: 'PostToolUse', tool: 'Read', ...inside }),
      record({
        event: 'SubagentStop',
        at: '2026-01-15T12:00:01Z',
        effect: 'deny',
        because: ['x'],
        ...inside,
      }),
      record({ event: 'SubagentStop', at: '2026-01-15T12:00:05Z', ...inside }),
      record({ event: 'SubagentStop', agent: 'compact-1' }),
    ])
    const row = { name: 'qa', runs: 1, finished: 1, totalMs: 5_000, maxMs: 5_000, calls: 1 }
    expect(work.agents).toEqual([row])
    expect(decisions.stops.map(({ agent }) => agent)).toEqual(['qa'])
  })

  it('K-32: says who owed what, and who was let go', () => {
    const missing = ['notes.md does not exist.']
    const ends = (effect: 'deny' | 'pass') =>
      record({
        event: 'SubagentStop',
        agent: 'a1',
        agentType: 'qa',
        effect,
        extra: { owed: [{ by: 'scratchpad/subagent-stop', missing }, 'x'] },
      })
    const { owed } = foldRecords([
      ends('deny'),
      ends('deny'),
      ends('deny'),
      ends('pass'),
      record({ event: 'Stop', extra: { owed: 7 } }),
    ])
    expect(owed).toEqual([
      { agent: 'qa', contract: 'scratchpad/subagent-stop', missing: missing[0], held: 3, letGo: 1 },
    ])
  })

  it('K-36: shows the trend over weeks, and a single week shows none', () => {
    const on = (day: string, effect: 'deny' | 'pass', more: Partial<JournalRecord> = {}) =>
      record({ at: `${day}T12:00:00Z`, effect, because: effect === 'deny' ? ['a'] : [], ...more })
    const first = [on('2026-01-05', 'deny'), on('2026-01-11', 'pass', { session: 't' })]
    const report = made([
      ...first,
      on('2026-01-12', 'pass'),
      on('2026-01-13', 'pass', { event: 'Stop', extra: { owed: [] } }),
      on('garbage', 'deny'),
    ])
    expect(report.decisions.weeks).toEqual([
      { week: '2026-01-05', sessions: 2, decisions: 2, denied: 1, deniedRate: 0.5, held: 0, letGo: 0 },
      { week: '2026-01-12', sessions: 1, decisions: 2, denied: 0, deniedRate: 0, held: 0, letGo: 1 },
    ])
    expect(terminalReport(report, SCREEN)).toContain('-50 points')
    expect(made(first).decisions.weeks).toEqual([])
  })

  it('count tools with their time, calls between agents, and blocked stops', () => {
    const post = (tool: string, more: Partial<JournalRecord>) =>
      record({ event: 'PostToolUse', tool, ...more })
    const { tools, routes, stops } = foldRecords([
      post('Bash', { extra: { toolMs: 30 } }),
      post('Bash', { extra: { toolMs: 'long' } }),
      post('Bash', { event: 'PostToolUseFailure', extra: { toolMs: 10 } }),
      post('Agent', {
        input: '{"prompt":"say \\"subagent_type\\":\\"x\\"","subagent_type":"qa","prompt2":"cut',
      }),
      post('Agent', { input: 'cut', agent: 'a1', agentType: 'dev' }),
      record({ event: 'SubagentStop', agent: 'a1', agentType: 'dev', effect: 'deny', because: ['c'] }),
      record({ event: 'SubagentStop', agent: 'a1', agentType: 'dev' }),
      record({ event: 'SubagentStop' }),
      record({ event: 'Stop' }),
    ])
    expect(tools[0]).toEqual({ name: 'Bash', calls: 3, failed: 1, timed: 2, totalMs: 40, maxMs: 30 })
    expect(routes).toEqual([
      { from: 'dev', to: '(no type)', count: 1 },
      { from: 'main', to: 'qa', count: 1 },
    ])
    expect(stops).toEqual([
      { agent: 'dev', held: 1, ended: 1 },
      { agent: 'main', held: 0, ended: 1 },
    ])
  })

  it.each([
    ['an hour', ['2026-01-15T12', '2026-01-15T14'], ['01-15 12h', '01-15 13h', '01-15 14h']],
    ['days', ['2026-01-10T23', '2026-01-13T12'], ['01-10', '01-11', '01-12', '01-13']],
    ['weeks', ['2026-01-15T00', '2026-03-30T00'], { length: 12, first: '2026-01-12' }],
    ['months', ['2024-11-15T00', '2026-02-01T00'], { length: 16, first: '2024-11' }],
    ['a clock that was wrong', ['1970-01-01T00', '2026-01-15T12'], { length: 240, first: '1970-01' }],
    ['no time', ['garbage'], []],
  ])('empty slots are included: %s', (_name, hours, wanted) => {
    const slots = slotsOf(new Map(hours.map((hour) => [hour, { pass: 1, allow: 0, ask: 0, deny: 2 }])))
    const labels = slots.map(({ label }) => label)
    if (Array.isArray(wanted)) expect(labels).toEqual(wanted)
    else expect({ length: labels.length, first: labels[0] }).toEqual(wanted)
    if (labels.length > 1) expect(slots[0]).toMatchObject({ deny: 2, pass: 1 })
  })

  it('prefers the source that has more of the same calls', () => {
    const tool = { name: 'Bash', calls: 5, failed: 0, timed: 0, totalMs: 0, maxMs: 0 }
    const post = record({ event: 'PostToolUse', tool: 'Read' })
    expect(made([post], { ...NO_FIGURES, tools: [tool] }).work.tools).toEqual([tool])
    expect(made(Array(6).fill(post), { ...NO_FIGURES, tools: [tool] }).work.tools[0]?.calls).toBe(6)
  })
})

let hundredThousand: Report | undefined
function* many() {
  for (let n = 0; n < 100_000; n++) {
    const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString()
    const denied = n % 50 === 0
    yield record({
      at,
      session: `s${n % 997}`,
      event: n % 2 === 0 ? 'PreToolUse' : 'PostToolUse',
      tool: `tool-${n % 1_000}`,
      effect: denied ? 'deny' : 'pass',
      because: denied ? [`guard-${n % 700}`] : [],
    })
  }
}

describe.each(forms)('as %s', (name, form) => {
  it('an empty journal gives a report', () => {
    const text = form(made([]))
    expect(text).toMatch(name === 'CSV' ? /^section,name,to,measure,value\r\n$/ : /report|"schema":1/i)
    expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/)
  })

  it('one record gives a report', () => {
    const text = form(made([record({ effect: 'deny', because: ['safety/git/force-push'] })]))
    expect(text).toContain('safety/git/force-push')
    expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/)
  })

  it('of 100,000 records stays small and repeats nothing', () => {
    const text = form((hundredThousand ??= made(many())))
    expect(text.length).toBeLessThan(150_000)
    if (name !== 'CSV') expect(text).toMatch(/100,?000/)
  })
})

describe('hostile names', () => {
  const NAMES = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</title></svg><svg onload=alert(1)>',
    'javascript:alert(1)',
    '&lt;b&gt;',
    '\u202egnirts\u0000\u0007\u001b[31m',
    '\ud800',
    '| a | `b` [c](d)\n# e',
    '=HYPERLINK("http://example.com")',
    'x'.repeat(5_000),
    '',
  ]
  const rows: Figures[] = NAMES.map((name) => ({
    ...NO_FIGURES,
    sessions: 1,
    tools: [{ name, calls: 1, failed: 0, timed: 1, totalMs: 5, maxMs: 5 }],
    agents: [{ name, runs: 1, finished: 1, totalMs: 5, maxMs: 5, calls: 1 }],
    routes: [{ from: name, to: `${name}!`, count: 1 }],
    handoffs: [{ from: name, to: name, routed: 1, completed: 0, held: 0, failed: 0 }],
    tests: [{ runner: name, passed: 1, failed: 0, unclear: 0 }],
  }))
  const report = buildReport(
    { project: NAMES.join(''), session: NAMES[0] ?? '' },
    foldRecords(NAMES.map((name) => record({ effect: 'deny', because: [name], tool: name, session: name }))),
    [{ figures: addFigures(rows), brokenLines: 2, brokenFiles: 1 }],
    AT,
  )

  it('are only text in the page', () => {
    const page = pageReport(report)
    const tags = new Set([...page.matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].map(([, tag]) => tag?.toLowerCase()))
    expect([...tags].sort()).toEqual(
      '!doctype a b body caption details div figure footer g h1 h2 head header html i li line main meta nav p path rect section span style summary svg table tbody td text th thead title tr ul'.split(
        ' ',
      ),
    )
    // Values are in quotes that they cannot leave; outside of quotes there are only Holdpoint's own
    // attributes.
    const outside = [...page.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag.replace(/"[^"]*"/g, ''))
    const attributes = new Set(outside.flatMap((tag) => tag.match(/\s[^\s=>]+/g) ?? []))
    expect([...attributes].filter((name) => /^\s(?:on|src|style)|alert/i.test(name)).sort()).toEqual([])
    expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e]/)
    expect(page.match(/href="(?!#)/)).toBeNull()
    expect(page).toContain('2 lines of the metrics could not be read')
    expect(page).toContain("default-src 'none'")
  })

  it('cannot break a table, run in a spreadsheet or become a link', () => {
    const cells = csvReport(report).split('\r\n')
    expect(cells.filter((line) => /,=|^=/.test(line))).toEqual([])
    expect(csvReport(report)).toContain(`"'=HYPERLINK(""http://example.com"")"`)
    const table = markdownReport(report)
      .split('\n')
      .filter((line) => line.startsWith('| '))
    expect(new Set(table.map((line) => line.match(/ \|/g)?.length))).toEqual(new Set([3, 4, 5, 6]))
    expect(markdownReport(report)).not.toMatch(/<script|<img|\[c\]\(d\)/)
  })

  it('do not break the layout of a terminal', () => {
    const text = terminalReport(report, SCREEN)
    expect(
      Math.max(
        ...text
          .split('\n')
          .slice(3)
          .map((line) => line.length),
      ),
    ).toBeLessThan(140)
  })
})

describe('numbers', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_234, '1.2 s'],
    [59_499, '59 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h 0 min'],
    [36_000_000_000, '10,000 h 0 min'],
  ])('%i ms is %s', (ms, text) => {
    expect(duration(ms)).toBe(text)
  })
  it('are grouped', () => {
    expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567'])
  })
})
