import { describe, expect, it } from 'vitest'
import type { Note } from '../../../../core/decision.ts'
import type { EventKind } from '../../../../core/event.ts'
import { isGuardMatch } from '../../../../core/guard.ts'
import type { JsonObject } from '../../../../core/json.ts'
import { actorOf, eventOf, frozenFacts } from '../../../../library/testing/events.ts'
import { parseAggregation, parseSnapshot } from '../../../metrics/documents.ts'
import { foldMetrics } from '../../../metrics/fold.ts'
import { parseMetric } from '../../../metrics/metric.ts'
import { readName, sessionName, sessionPath } from '../../../metrics/places.ts'
import { collect } from './collect.ts'
import { handoffNote } from './handoff-note.ts'
import { sumUp } from './sum-up.ts'
import { countsIn } from './test-counts.ts'

const ROOT = '/srv/project'
type More = { files?: Record<string, string>; options?: JsonObject; now?: string; parent?: string }

async function notesAt(kind: EventKind, fields: object, guard = collect, more: More = {}) {
  const event = eventOf(kind, { ...fields })
  const actor = actorOf(event, more.parent === undefined ? {} : { parent: more.parent })
  const now = () => new Date(more.now ?? '2026-01-15T12:00:00Z')
  const facts = frozenFacts({ files: more.files ?? {}, now })
  const answer = await guard.check({ event, actor, facts, options: more.options ?? {}, memory: {} })
  if (answer === null || isGuardMatch(answer)) return []
  expect(answer.effect).toBe('pass')
  return answer.notes ?? []
}
const lineOf = (notes: readonly Note[]) => {
  const line = notes.find((note) => note.kind === 'append')
  return line?.kind === 'append' ? line.json : undefined
}
const dataOf = async (input: object, more: object, options: JsonObject = {}) =>
  lineOf(
    await notesAt(
      'error' in more ? 'PostToolUseFailure' : 'PostToolUse',
      { tool: { name: 'Bash', input, useId: 'c1' }, interrupted: false, ...more },
      collect,
      { options },
    ),
  )?.data as JsonObject

describe('collecting metrics', () => {
  it('stores tool, result and time of a call in the file of its session (R-002-11, R-002-20, R-002-57, R-002-59)', async () => {
    const notes = await notesAt('PostToolUse', {
      agentId: 'a1',
      agentType: 'dev',
      tool: { name: 'Read', input: { file_path: 'x' }, useId: 'c1' },
      output: 'text',
      durationMs: 12,
    })
    expect(notes).toHaveLength(1)
    expect(notes[0]?.path).toBe('.claude-collective/metrics/sessions/session-1.jsonl')
    const line = lineOf(notes)
    expect(line).toEqual({
      schema: 1,
      id: 'tool/a1/PostToolUse//c1/Read',
      sessionId: 'session-1',
      timestamp: '2026-01-15T12:00:00.000Z',
      eventType: 'tool',
      data: {
        tool: 'Read',
        ok: true,
        durationMs: 12,
        inputCharacters: 17,
        outputCharacters: 4,
        load: 'reads',
      },
      metadata: { host: 'test', agentId: 'a1', agentType: 'dev', parent: 'unknown' },
    })
    expect(parseMetric(JSON.stringify(line))).toEqual(line)
  })

  it('stores nothing that was read, written or run, unless an option asks for it', async () => {
    const secret = { command: 'curl -u bob:hunter22 example.com', api_token: 't', nested: { a: 1 } }
    expect(JSON.stringify(await dataOf(secret, { output: 'hunter22' }))).not.toContain('hunter22')
    const { input } = await dataOf(secret, { output: '' }, { metrics: { input: true } })
    expect(input).toEqual({ command: secret.command, api_token: '[REDACTED]', nested: '(nested)' })
  })

  it.each([
    ['Agent', { status: 'completed', agentId: 'a7', agentType: 'qa' }, { type: 'qa', id: 'a7' }],
    ['Agent', 'done', { type: 'asked' }],
    ['spawn_agent', '{"agent_id":"a8","nickname":"x"}', { type: 'asked', id: 'a8' }],
    ['spawn_agent', '{broken', { type: 'asked' }],
  ])('stores which agent %s started: %j', async (name, output, agent) => {
    const fields = { tool: { name, input: { subagent_type: 'asked' }, useId: 'c' }, output }
    expect(lineOf(await notesAt('PostToolUse', fields))?.data).toMatchObject({ agent })
  })

  it.each<[EventKind, object, string | undefined]>([
    ['SessionStart', { source: 'compact' }, 'session-start'],
    ['SubagentStart', { agentId: 'a1', agentType: 'dev' }, 'agent-start'],
    ['SubagentStop', { agentId: 'a1', agentType: 'dev', stopHookActive: false }, 'agent-stop'],
    ['SubagentStop', { stopHookActive: false }, undefined],
    ['Stop', { stopHookActive: false }, 'stop'],
    ['Stop', { stopHookActive: false, agentId: 'a1' }, undefined],
    ['SessionEnd', { reason: 'exit' }, 'session-end'],
    ['SessionEnd', { reason: 'exit', session: '' }, undefined],
  ])('%s %j adds %s', async (kind, fields, eventType) => {
    const notes = await notesAt(kind, fields)
    expect(lineOf(notes)?.eventType).toBe(eventType)
    if (eventType !== undefined) expect(notes[0]).toMatchObject({ kind: 'create', text: '*\n' })
  })

  it('keeps the files of every session in the metrics folder, whatever the session is called', () => {
    for (const session of ['../../x', 'A', 'a/b', '', '\u0000', 'x'.repeat(5_000), 'é'.repeat(90)]) {
      expect(sessionPath(session)).toMatch(
        /^\.claude-collective\/metrics\/sessions\/[a-z0-9=_-]{1,170}\.jsonl$/,
      )
    }
    expect(sessionName('A')).not.toBe(sessionName('a'))
  })

  it('records a handoff only from the guard that decided it', () => {
    const event = eventOf('SubagentStop', { agentId: 'a1', agentType: 'dev', stopHookActive: false })
    const about = { event, actor: actorOf(event), facts: frozenFacts(), options: {} }
    const test = { runner: 'vitest', outcome: 'failed' } as const
    const note = handoffNote(about, { outcome: 'held', retries: 2, test })
    const metric = parseMetric(note.kind === 'append' ? JSON.stringify(note.json) : '')
    expect(metric?.data).toEqual({ from: 'dev', outcome: 'held', retries: 2, test })
    expect(foldMetrics(metric === undefined ? [] : [metric]).handoffs[0]).toMatchObject({
      from: 'dev',
      held: 1,
    })
  })
})

describe('reading test results', () => {
  const ok = (stdout = '') => ({ output: { stdout, stderr: '' } })
  const bad = (error = 'Exit code 1') => ({ error })
  it.each<[string, object, string, string]>([
    ['npm test', ok(), 'npm test', 'passed'],
    ['npm test', bad(), 'npm test', 'failed'],
    ['npm run test:unit -- --run', ok(), 'npm test:unit', 'passed'],
    ['cd web && npx vitest run', ok(), 'vitest', 'passed'],
    ['CI=1 timeout 60 pytest -q tests', bad(), 'pytest', 'failed'],
    ['python3 -m unittest', ok(), 'unittest', 'passed'],
    ['vendor/bin/phpunit --filter X', ok(), 'phpunit', 'passed'],
    ['php vendor/bin/phpunit', ok(), 'phpunit', 'passed'],
    ['docker compose exec web true; go test ./...', ok(), 'go test', 'unclear'],
    ['cargo test | tail -5', ok(), 'cargo test', 'unclear'],
    [
      'cargo test | tail -5',
      ok('test result: FAILED. 3 passed; 1 failed; 0 ignored'),
      'cargo test',
      'failed',
    ],
    ['npm test || true', ok(' Tests  2 failed | 10 passed (12)'), 'npm test', 'failed'],
    ['npm test; echo done', ok(' Tests  12 passed (12)'), 'npm test', 'passed'],
    ['./gradlew clean test', ok(), 'gradlew test', 'passed'],
    ['make check', bad(), 'make check', 'failed'],
    ['bash -c "node --test"', bad('Exit code 1\n# pass 3\n# fail 1'), 'node --test', 'failed'],
    ['npm test', { ...bad(), interrupted: true }, 'npm test', 'unclear'],
    ['npm test', { output: 'all is well' }, 'npm test', 'unclear'],
  ])('from %s with %j', async (command, more, runner, outcome) => {
    expect((await dataOf({ command }, more)).test).toMatchObject({ runner, outcome })
  })

  it.each([
    'echo npm test',
    'git commit -m "run pytest"',
    'npm install jest',
    'ls test',
    'jest --version',
    'pytest --collect-only',
    'npm run build',
    'grep -rn vitest .',
    'npm test "',
  ])('finds no test run in %s', async (command) => {
    expect((await dataOf({ command }, ok())).test).toBeUndefined()
  })

  it.each([
    [
      'vitest',
      '\u001b[2m Test Files \u001b[22m 1 failed | 2 passed (3)\n      Tests  2 failed | 10 passed (12)',
      10,
      2,
    ],
    ['jest', 'Test Suites: 1 failed, 1 total\nTests:       1 failed, 3 passed, 4 total', 3, 1],
    ['pytest', '=== 2 failed, 5 passed in 0.12s ===', 5, 2],
    ['mocha', '  10 passing (9ms)\n  2 failing', 10, 2],
    ['node', '# tests 4\n# pass 3\n# fail 1\n# cancelled 0', 3, 1],
    ['phpunit', 'Tests: 12, Assertions: 30, Failures: 1, Errors: 2.', 9, 3],
    ['phpunit', 'OK (12 tests, 30 assertions)', 12, 0],
    ['cargo', 'test result: ok. 3 passed; 0 failed\ntest result: FAILED. 1 passed; 2 failed', 4, 2],
    ['rspec', '12 examples, 1 failure', 11, 1],
    ['maven', 'Tests run: 12, Failures: 1, Errors: 0, Skipped: 0', 11, 1],
    ['dotnet', 'Failed!  - Failed:     1, Passed:    10, Skipped:     0', 10, 1],
    ['unittest', 'FAILED (failures=1, errors=1)', 0, 2],
  ])('counts the tests of %s', (_name, output, passed, failed) => {
    expect(countsIn(output)).toEqual({ passed, failed })
  })
  it('gives no counts if the output has none', () => {
    expect(countsIn('compiled in 3 s\n'.repeat(5_000))).toBeUndefined()
    expect(countsIn('1 passed'.padStart(1_000_000, 'x '))).toBeUndefined()
  })
})

describe('summing up metrics (R-002-58)', () => {
  const FOLDER = `${ROOT}/.claude-collective/metrics`
  const calls = async (count: number) => {
    const one = lineOf(
      await notesAt('PostToolUse', {
        tool: { name: 'Bash', input: { command: 'ls' } },
        output: '',
        durationMs: 5,
      }),
    )
    return Array.from({ length: count }, (_, n) => JSON.stringify({ ...one, id: `x${n}` })).join('\n')
  }
  const documents = (notes: readonly Note[]) =>
    Object.fromEntries(
      notes.flatMap((note) => (note.kind === 'replace' ? [[note.path, JSON.stringify(note.json)]] : [])),
    )

  it('writes a snapshot after a turn, at most every half minute', async () => {
    const files = { [`${FOLDER}/sessions/session-1.jsonl`]: await calls(3) }
    const notes = await notesAt('Stop', { stopHookActive: false }, sumUp, { files })
    const [[path, text] = ['', '']] = Object.entries(documents(notes))
    expect(path).toBe('.claude-collective/metrics/snapshots/snapshot-1768478400000-session-1.json')
    expect(parseSnapshot(text)?.figures).toMatchObject({
      sessions: 1,
      turns: 1,
      tools: [{ calls: 3, totalMs: 15 }],
    })
    const again = { ...files, [`${ROOT}/${path}`]: text }
    const stop = (now: string) => notesAt('Stop', { stopHookActive: false }, sumUp, { files: again, now })
    expect(await stop('2026-01-15T12:00:29Z')).toEqual([])
    expect(await stop('2026-01-15T12:00:30Z')).toHaveLength(1)
  })

  it('writes snapshot, day and report over all sessions at the end of a session, and deletes old files', async () => {
    const old = 'snapshot-1000000000000-other.json'
    const other = documents(
      await notesAt('Stop', { stopHookActive: false, session: 'other' }, sumUp, {
        files: { [`${FOLDER}/sessions/other.jsonl`]: await calls(2) },
        now: '2026-01-15T10:00:00Z',
      }),
    )
    const files = {
      [`${FOLDER}/sessions/session-1.jsonl`]: `${await calls(3)}\nnot JSON\n{"torn`,
      [`${FOLDER}/snapshots/${old}`]: '{}',
      [`${FOLDER}/snapshots/mine.json`]: 'somebody else put it here',
      ...Object.fromEntries(Object.entries(other).map(([path, text]) => [`${ROOT}/${path}`, text])),
    }
    const notes = await notesAt('SessionEnd', { reason: 'exit' }, sumUp, { files })
    const made = documents(notes)
    expect(Object.keys(made).map((path) => path.split('/')[2])).toEqual([
      'snapshots',
      'aggregations',
      'reports',
    ])
    const [, day = '', report = ''] = Object.values(made)
    expect(parseAggregation(day)).toMatchObject({
      day: '2026-01-15',
      figures: { sessions: 2, tools: [{ calls: 5 }] },
    })
    expect(JSON.parse(report)).toMatchObject({
      session: { sessions: 1 },
      all: { sessions: 2 },
      research: { jit: { n: 5, confidence: 0.5 } },
    })
    const gone = notes.flatMap((note) => (note.kind === 'delete' ? [note.path] : []))
    expect(gone).toEqual([`.claude-collective/metrics/snapshots/${old}`])
  })

  it('keeps files as long as the option says', async () => {
    const files = {
      [`${FOLDER}/sessions/session-1.jsonl`]: '',
      [`${FOLDER}/reports/report-${Date.UTC(2026, 0, 1)}-x.json`]: '{}',
    }
    const gone = async (retentionDays: JsonObject) =>
      (
        await notesAt('SessionEnd', { reason: 'exit' }, sumUp, {
          files,
          options: { metrics: { retentionDays } },
        })
      ).filter(({ kind }) => kind === 'delete').length
    expect([await gone({}), await gone({ reports: 7 }), await gone({ reports: 'soon' })]).toEqual([0, 1, 0])
  })

  it('writes nothing for a session without metrics', async () => {
    expect(await notesAt('SessionEnd', { reason: 'exit' }, sumUp)).toEqual([])
  })

  it('recognizes its own files only by their names', () => {
    expect(readName('snapshots', 'snapshot-12-abc.json')).toEqual({ atMs: 12, session: 'abc' })
    expect(readName('aggregations', 'aggregation-12.json')).toEqual({ atMs: 12, session: '' })
    for (const name of [
      'snapshot-.json',
      'snapshot-1.json.bak',
      'report-1.json',
      'snapshot-1-../x.json',
      'x',
    ]) {
      expect(readName('snapshots', name)).toBeUndefined()
    }
  })

  it.each(['', 'null', '{}', '{"schema":1,"at":"x","sessionId":"s","figures":{}}', '[1', 'x'.repeat(9)])(
    'ignores a document that contains %s',
    (text) => {
      expect([parseSnapshot(text), parseAggregation(text)]).toEqual([undefined, undefined])
    },
  )
})
