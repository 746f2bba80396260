import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it, test } from 'vitest'
import type { Orchestration, RecordSummary } from '../../tools/board/api.ts'
import { cellsOf } from '../../tools/report/terminal-width.ts'
import { drawModel, pageOf } from './draw.ts'
import { type Key, keysIn } from './keys.ts'
import { FIRST, shownRecords, type TopModel, withRecords } from './model.ts'
import { canSeeQuestion } from './question-rows.ts'
import { reactTo, type ShownToPerson } from './react.ts'
import { openScreen } from './screen.ts'

const SEEN: ShownToPerson = { page: 10, seesQuestion: true }
const char = (each: string): Key => ({ kind: 'char', char: each })
const press = (model: TopModel, ...keys: readonly Key[]): TopModel =>
  keys.reduce((now, key) => reactTo(now, key, SEEN).model, model)
const typedKeys = (text: string) => [...text].map(char)

function record(id: string, more: Partial<RecordSummary> = {}): RecordSummary {
  return {
    id,
    at: '2026-01-05T10:00:00.000Z',
    host: 'claude-code',
    event: 'PreToolUse',
    session: 's1',
    tool: 'Bash',
    input: `command ${id}`,
    project: '/srv/project',
    effect: 'pass',
    because: [],
    durationMs: 1,
    ...more,
  }
}

const QUESTION = {
  id: 'q1',
  call: JSON.stringify({
    host: 'claude-code',
    tool: 'Bash',
    input: 'deploy --production',
    cwd: '/srv/project',
    reasons: [{ by: 'team/deploy', text: 'Deploy to production?' }],
  }),
  untilMs: 20_000,
}

test.each<[string, readonly string[]]>([
  ['\u001b[A\u001bOB', ['up', 'down']],
  ['\u001b[5~\u001b[6~\u001b[H\u001b[F', ['pageUp', 'pageDown', 'home', 'end']],
  ['\r\t\u007f\u001b\u0003', ['enter', 'tab', 'backspace', 'escape', 'interrupt']],
  ['\u001b[99;5u', []],
  ['aé\u{1f600}', ['char', 'char', 'char']],
])('keys in %j', (text, kinds) => {
  expect(keysIn(text).map(({ kind }) => kind)).toEqual(kinds)
})

describe('records', () => {
  const loaded = withRecords(FIRST, [
    record('1'),
    record('2', { effect: 'deny', because: ['guard'] }),
    record('3'),
  ])

  it('are the newest first, each once', () => {
    const again = withRecords(loaded, [record('3'), record('4')])
    expect(again.records.map(({ id }) => id)).toEqual(['4', '3', '2', '1'])
  })

  it('that arrive do not move what is selected, unless it is the newest', () => {
    const second = press(loaded, { kind: 'down' })
    expect(shownRecords(second)[second.selected]?.id).toBe('2')
    const later = withRecords(second, [record('4'), record('5')])
    expect(shownRecords(later)[later.selected]?.id).toBe('2')
    expect(withRecords(loaded, [record('4')]).selected).toBe(0)
  })

  it('wait while it is paused', () => {
    const held = withRecords(press(loaded, char(' ')), [record('4')])
    expect(held.records).toHaveLength(3)
    expect(drawn(held, 80).join('\n')).toContain('paused, 1 new')
    expect(press(held, char(' ')).records.map(({ id }) => id)).toEqual(['4', '3', '2', '1'])
  })

  it('can be filtered by effect and by words', () => {
    expect(shownRecords(press(loaded, char('f'))).map(({ id }) => id)).toEqual(['2'])
    const found = press(loaded, char('/'), ...typedKeys('command 1'), { kind: 'enter' })
    expect(shownRecords(found).map(({ id }) => id)).toEqual(['1'])
    expect(shownRecords(press(found, { kind: 'escape' }))).toHaveLength(3)
  })

  it('the result of a call that passed is not a row of its own', () => {
    const both = [record('1', { call: 'c' }), record('2', { call: 'c', event: 'PostToolUse' })]
    expect(shownRecords(withRecords(FIRST, both)).map(({ id }) => id)).toEqual(['1'])
  })
})

describe('an answer', () => {
  const waiting: TopModel = { ...FIRST, questions: [QUESTION], mayAnswer: true, answers: 'You answer here.' }

  it('needs the PIN each time', () => {
    const typing = press(waiting, char('a'), ...typedKeys('my pin'))
    expect(drawn(typing, 80).join('\n')).toContain('Your PIN: ******')
    expect(drawn(typing, 80).join('\n')).not.toContain('my pin')
    expect(reactTo(typing, { kind: 'enter' }, SEEN).wish).toEqual({
      kind: 'answer',
      answer: 'once',
      reason: '',
      pin: 'my pin',
    })
  })

  it('of a denial takes a reason first', () => {
    const typing = press(
      waiting,
      char('d'),
      ...typedKeys('Use staging'),
      { kind: 'enter' },
      ...typedKeys('pin'),
    )
    expect(reactTo(typing, { kind: 'enter' }, SEEN).wish).toMatchObject({
      answer: 'deny',
      reason: 'Use staging',
      pin: 'pin',
    })
  })

  it('can be left', () => {
    expect(press(waiting, char('s'), ...typedKeys('pin'), { kind: 'escape' }).typing).toBeUndefined()
  })

  it('is not possible without a question, without the right, or if the call cannot be seen', () => {
    expect(press(FIRST, char('a'))).toMatchObject({ message: 'Nothing waits for an answer.' })
    const second = { ...waiting, mayAnswer: false, answers: 'Another board answers.' }
    expect(press(second, char('a'))).toMatchObject({ message: 'Another board answers.' })
    const { model } = reactTo(waiting, char('a'), { ...SEEN, seesQuestion: false })
    expect(model.typing).toBeUndefined()
    expect(model.message).toContain('longer than this screen')
  })

  it('is possible only for a call that is shown completely', () => {
    const long = {
      ...QUESTION,
      call: JSON.stringify({ tool: 'Bash', input: `echo ${'x'.repeat(4_000)} && rm -rf /` }),
    }
    const size = { rows: 24, columns: 80, colours: false }
    expect(canSeeQuestion(waiting, size)).toBe(true)
    expect(canSeeQuestion({ ...waiting, questions: [long] }, size)).toBe(false)
    const medium = {
      ...QUESTION,
      call: JSON.stringify({ tool: 'Bash', input: `echo ${'x'.repeat(400)} && rm -rf /` }),
    }
    const answering = press({ ...waiting, questions: [medium] }, char('a'))
    expect(canSeeQuestion({ ...waiting, questions: [medium] }, size)).toBe(true)
    expect(drawn(answering, 80).join('\n')).toContain('&& rm -rf /')
  })
})

const MUX: Orchestration = {
  session: 's1',
  folder: 'tmp/mux/20260105-1000-topic',
  gate: 'BLOCK',
  reasons: ['1 of the agents have not signalled.'],
  signals: [{ name: 'writer', status: 'success', path: 'tmp/mux/report.md' }],
  agents: [
    {
      id: 'main',
      name: 'main',
      skills: ['mux'],
      status: 'running',
      may: [
        ['Read', 'deny'],
        ['Agent', 'pass'],
      ],
    },
    {
      id: 'a1',
      name: 'writer',
      skills: ['mux-subagent'],
      status: 'completed',
      may: [
        ['Read', 'pass'],
        ['Agent', 'ask'],
      ],
    },
  ],
}

test('the view of MUX shows agents, what each may do, signals and the gate', () => {
  const text = drawn({ ...FIRST, view: 'mux', orchestrations: [MUX] }, 80).join('\n')
  expect(text).toMatch(/BLOCK tmp\/mux\/20260105-1000-topic/)
  expect(text).toMatch(/main \[mux\] +not +may +running/)
  expect(text).toMatch(/writer \[mux-subagent\] +may +asks +completed/)
  expect(text).toMatch(/✓ writer tmp\/mux\/report\.md/)
})

describe.each([60, 80, 132])('at %i columns', (columns) => {
  const hostile = `\u001b[2J\u001b]0;title\u0007\u202e日本語 ${'x'.repeat(500)}`
  const models: readonly [string, TopModel][] = [
    [
      'calls',
      withRecords(FIRST, [
        record('1', {
          input: hostile,
          tool: hostile,
          agentType: hostile,
          because: [hostile],
          effect: 'deny',
        }),
      ]),
    ],
    [
      'a question',
      {
        ...FIRST,
        questions: [
          {
            ...QUESTION,
            call: JSON.stringify({
              tool: hostile,
              input: hostile,
              host: hostile,
              cwd: hostile,
              reasons: [{ text: hostile }],
            }),
          },
        ],
      },
    ],
    [
      'an orchestration',
      {
        ...FIRST,
        view: 'mux',
        orchestrations: [{ ...MUX, folder: hostile, gate: hostile, reasons: [hostile] }],
      },
    ],
    [
      'sessions',
      {
        ...FIRST,
        view: 'sessions',
        sessions: [
          {
            session: hostile,
            host: hostile,
            project: hostile,
            title: hostile,
            from: '2026-01-05T10:00:00.000Z',
            to: '2026-01-05T10:00:00.000Z',
            records: 1,
            effects: { pass: 1, allow: 0, ask: 0, deny: 0 },
            agents: 1,
            isCut: false,
            seq: 1,
          },
        ],
      },
    ],
  ]
  it.each(models)('%s: every line fits, and hostile text moves nothing', (_name, model) => {
    const lines = drawn(model, columns, true)
    for (const line of lines) {
      const plain = stripVTControlCharacters(line)
      expect(cellsOf(plain)).toBeLessThanOrEqual(columns)
      expect(plain).not.toMatch(/[\u0000-\u001f\u202e]/)
    }
    expect(lines.length).toBeLessThanOrEqual(24)
  })
})

test('the selected row is always in sight', () => {
  let model = withRecords(
    FIRST,
    Array.from({ length: 100 }, (_, n) => record(String(n))),
  )
  const size = { rows: 24, columns: 80, colours: false }
  for (const kind of ['pageDown', 'pageDown', 'up', 'end', 'pageUp', 'home', 'down'] as const) {
    model = reactTo(model, { kind }, { ...SEEN, page: pageOf(model, size) }).model
    const id = shownRecords(model)[model.selected]?.id
    expect(
      drawModel(model, size).some(
        (line) => line.includes(`command ${id} `) || line.trimEnd().endsWith(`command ${id}`),
      ),
    ).toBe(true)
  }
})

test('only lines that changed are written', () => {
  const written: string[] = []
  const out = {
    rows: 5,
    columns: 40,
    write: (text: string) => written.push(text),
  } as unknown as NodeJS.WriteStream
  const screen = openScreen(out)
  screen.draw(['one', 'two'])
  screen.draw(['one', 'two'])
  screen.draw(['one', '2'])
  screen.close()
  const frames = written.slice(1, -1)
  expect(frames).toHaveLength(2)
  expect(frames[1]).toContain('2')
  expect(frames[1]).not.toContain('one')
  // The terminal is left as it was.
  expect(written[0]).toContain('\u001b[?1049h')
  expect(written.at(-1)).toContain('\u001b[?1049l')
})

function drawn(model: TopModel, columns: number, colours = false): readonly string[] {
  return drawModel(model, { rows: 24, columns, colours })
}
