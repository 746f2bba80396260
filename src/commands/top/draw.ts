import type { Effect } from '../../core/decision.ts'
import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import type { PendingQuestion } from '../../daemon/approvals/board-link.ts'
import type { RecordSummary, SessionSummary } from '../../tools/board/api.ts'
import { cell, fixedWidth, lineOf, own, type ScreenCell, type ScreenTone, wrapped } from './cells.ts'
import { shownRecords, type TopModel, type TopView, VIEWS } from './model.ts'
import { muxLines } from './mux-lines.ts'

export interface DrawOptions {
  readonly rows: number
  readonly columns: number
  readonly colours: boolean
}

const TITLES: Readonly<Record<TopView, string>> = { live: 'Live', sessions: 'Sessions', mux: 'MUX' }
const EFFECTS: Readonly<Record<Effect, readonly [string, ScreenTone]>> = {
  deny: ['DENIED', 'deny'],
  ask: ['ASKED', 'ask'],
  allow: ['ALLOWED', 'allow'],
  pass: ['passed', 'dim'],
}

/** A line before it is cut to the screen. */
export interface ScreenRow {
  readonly cells: readonly ScreenCell[]
  readonly isSelected?: boolean
}

/** The whole screen as lines: what waits, the view, the keys. */
export function drawModel(model: TopModel, { rows, columns, colours }: DrawOptions): readonly string[] {
  const waiting = questionRows(model, columns)
  const foot = footRows(model, columns)
  const room = Math.max(1, rows - waiting.length - foot.length - 2)
  const body = model.why === undefined ? viewRows(model, columns, room) : whyRows(model, columns)
  const all = [
    headRow(model, columns),
    ...waiting,
    ruleRow(columns),
    ...inSight(body, model.selected, room),
    ...foot,
  ]
  return all.map(({ cells, isSelected = false }) => lineOf(cells, columns, colours, isSelected))
}

/** How many rows of a list fit. */
export function pageOf(model: TopModel, { rows, columns }: DrawOptions): number {
  return Math.max(1, rows - questionRows(model, columns).length - footRows(model, columns).length - 2)
}

/** The part of the rows around the selected one, filled to the height. */
function inSight(rows: readonly ScreenRow[], selected: number, room: number): readonly ScreenRow[] {
  const at = rows.findIndex(({ isSelected }) => isSelected === true)
  const from = at === -1 ? Math.min(selected, Math.max(0, rows.length - room)) : Math.max(0, at - room + 1)
  const shown = rows.slice(at !== -1 && at < room ? 0 : from).slice(0, room)
  return [...shown, ...Array.from({ length: room - shown.length }, () => ({ cells: [] }))]
}

function headRow(model: TopModel, columns: number): ScreenRow {
  const tabs = VIEWS.flatMap((view, index): readonly ScreenCell[] => {
    const words = ` ${index + 1} ${TITLES[view]} `
    return [view === model.view ? own(words, 'inverse') : own(words, 'dim')]
  })
  const state = model.isStill ? cell(` paused, ${model.held.length} new`, 'ask') : own('')
  const filter = [
    model.only === undefined ? '' : `only ${model.only}`,
    model.search === '' ? '' : `/${model.search}`,
  ]
  const words = filter.filter((text) => text !== '').join(' ')
  return {
    cells: [
      cell(columns < 70 ? '' : 'Holdpoint ', 'bold'),
      ...tabs,
      state,
      cell(words === '' ? '' : ` ${words}`, 'accent'),
    ],
  }
}

function ruleRow(columns: number): ScreenRow {
  return { cells: [own('─'.repeat(columns), 'dim')] }
}

function footRows(model: TopModel, columns: number): readonly ScreenRow[] {
  const { typing, message } = model
  if (typing !== undefined) {
    const label = { search: 'Search: ', pin: 'Your PIN: ', reason: 'Reason for the agent: ' }[typing.kind]
    const text = typing.kind === 'pin' ? '*'.repeat([...typing.text].length) : typing.text
    return [
      { cells: [own(label, 'bold'), cell(text), own('▏')] },
      { cells: [own('Enter to go on, Esc to leave it', 'dim')] },
    ]
  }
  const keys = model.questions.length > 0 && model.mayAnswer ? 'a approve  s for the session  d deny  ' : ''
  const usual =
    columns < 70
      ? '↑↓ Enter  / search  f filter  q end'
      : '↑↓ move  Enter why  Esc back  Tab view  / search  f filter  space pause  q end'
  return [{ cells: [cell(message, 'ask')] }, { cells: [own(keys, 'bold'), own(usual, 'dim')] }]
}

const QUESTION_LINES = 3
/** The head, the keys, the rule, and one line of the view. */
const AROUND_QUESTION = 6

/** The call that waits longest, and how many more there are. Whole, while it is answered. */
function questionRows(
  { questions, nowMs, answers, mayAnswer, typing }: TopModel,
  columns: number,
): readonly ScreenRow[] {
  const [first] = questions
  if (first === undefined) return []
  const call = callIn(first)
  const left = Math.max(0, Math.ceil((first.untilMs - nowMs) / 1_000))
  const more = questions.length === 1 ? '' : `, and ${questions.length - 1} more`
  const { what, why } = questionLines(first, columns)
  const max = typing?.answer === undefined ? QUESTION_LINES : Number.POSITIVE_INFINITY
  const hidden = Math.max(0, what.length - max)
  return [
    {
      cells: [
        own(` WAITS FOR YOU ${left} s${more} `, 'inverse'),
        cell(` ${textAt(call, 'host') ?? ''} in ${textAt(call, 'cwd') ?? ''}`, 'dim'),
      ],
    },
    ...what.slice(0, max).map((line) => ({ cells: [own('  '), cell(line, 'ask')] })),
    ...(hidden === 0 ? [] : [{ cells: [own(`  … ${hidden} more lines`, 'bold')] }]),
    ...why.slice(0, max).map((line) => ({ cells: [own('  '), cell(line)] })),
    ...(mayAnswer ? [] : [{ cells: [own('  '), cell(answers, 'dim')] }]),
  ]
}

function questionLines(question: PendingQuestion, columns: number) {
  const call = callIn(question)
  return {
    what: wrapped(`${textAt(call, 'tool') ?? ''} ${textAt(call, 'input') ?? ''}`, columns - 2),
    why: reasonsIn(call).flatMap((text) => wrapped(text, columns - 2)),
  }
}

/** Whether the whole question can be seen at once. What cannot be seen must not be approved. */
export function canSeeQuestion({ questions: [first] }: TopModel, { rows, columns }: DrawOptions): boolean {
  if (first === undefined) return false
  const { what, why } = questionLines(first, columns)
  return what.length + why.length + AROUND_QUESTION <= rows
}

function callIn({ call }: PendingQuestion): JsonObject {
  try {
    const value: unknown = JSON.parse(call)
    return isObject(value) ? value : {}
  } catch {
    return { input: call }
  }
}

function reasonsIn({ reasons }: JsonObject): readonly string[] {
  return Array.isArray(reasons)
    ? reasons.flatMap((each) => (isObject(each) ? (textAt(each, 'text') ?? []) : []))
    : []
}

function viewRows(model: TopModel, columns: number, room: number): readonly ScreenRow[] {
  if (model.view === 'live') return liveRows(model, columns, room)
  if (model.view === 'mux') return muxLines(model, columns)
  return model.session === undefined ? sessionRows(model, columns) : sessionDetailRows(model, columns)
}

function liveRows(model: TopModel, columns: number, room: number): readonly ScreenRow[] {
  const records = shownRecords(model)
  if (records.length === 0) return [{ cells: [cell('Nothing was decided yet.', 'dim')] }]
  // Only what can be seen is made.
  const from = Math.max(0, model.selected - room + 1)
  return records
    .slice(from, from + room)
    .map((record, index) => recordRow(record, columns, from + index === model.selected))
}

function recordRow(record: RecordSummary, columns: number, isSelected: boolean): ScreenRow {
  const [word, tone] = record.host === 'person' ? (['person', 'accent'] as const) : EFFECTS[record.effect]
  const who = record.agentType ?? (record.agent === undefined ? record.host : 'sub-agent')
  const what = `${record.tool ?? record.event} ${record.input ?? ''}`
  const by = record.effect === 'pass' ? '' : (record.because[0] ?? '')
  const isWide = columns >= 100
  const byWidth = isWide && by !== '' ? Math.min(30, by.length) + 2 : 0
  const whoWidth = columns >= 70 ? 14 : 0
  const textWidth = columns - 10 - 9 - (whoWidth === 0 ? 0 : whoWidth + 1) - byWidth
  return {
    isSelected,
    cells: [
      own(' '),
      cell(`${timeOf(record.at)} `, 'dim'),
      fixedWidth(cell(word, tone), 8),
      own(' '),
      ...(whoWidth === 0 ? [] : [fixedWidth(cell(who, 'accent'), whoWidth), own(' ')]),
      fixedWidth(cell(what, tone === 'dim' ? undefined : tone), textWidth),
      ...(byWidth === 0 ? [] : [own('  '), cell(by, 'dim')]),
    ],
  }
}

function timeOf(iso: string): string {
  return new Date(iso).toTimeString().slice(0, 8)
}

function sessionRows({ sessions, selected, nowMs }: TopModel, columns: number): readonly ScreenRow[] {
  if (sessions.length === 0) return [{ cells: [cell('No agent was guarded yet.', 'dim')] }]
  return sessions.map((session, index) => sessionRow(session, columns, nowMs, index === selected))
}

const RUNNING_MS = 120_000

function sessionRow(session: SessionSummary, columns: number, nowMs: number, isSelected: boolean): ScreenRow {
  const isRunning = nowMs - Date.parse(session.to) < RUNNING_MS
  const stopped = session.effects.deny + session.effects.ask
  const counts = `${session.records} events${stopped === 0 ? '' : `, ${stopped} stopped`}`
  const title = session.title ?? session.session
  return {
    isSelected,
    cells: [
      own(' '),
      fixedWidth(isRunning ? cell('●', 'allow') : own(' '), 2),
      fixedWidth(cell(session.host, 'accent'), columns >= 80 ? 12 : 8),
      own(' '),
      fixedWidth(cell(title), Math.max(10, columns - (columns >= 80 ? 16 : 12) - 26)),
      own(' '),
      fixedWidth(cell(counts, stopped === 0 ? 'dim' : 'deny'), 24),
    ],
  }
}

/** The tree of agents, then what was stopped. */
function sessionDetailRows({ session, selected }: TopModel, columns: number): readonly ScreenRow[] {
  if (session === undefined) return []
  const agents = session.agents.map((agent, index): ScreenRow => {
    const name = agent.type ?? (agent.id === 'main' ? 'main agent' : agent.id)
    const state = agent.ended ? 'ended' : 'running'
    const stopped = agent.stopped === 0 ? '' : `, ${agent.stopped} stopped`
    const skills = agent.skills.length === 0 ? '' : ` [${agent.skills.join(', ')}]`
    return {
      isSelected: index === selected,
      cells: [
        own(' '),
        own('  '.repeat(agent.depth)),
        own(agent.depth === 0 ? '' : '└ ', 'dim'),
        cell(name, 'bold'),
        cell(skills, 'accent'),
        cell(` ${agent.calls} calls${stopped}, ${state}`, agent.stopped === 0 ? 'dim' : 'deny'),
      ],
    }
  })
  const agent = session.agents[selected]?.id
  const moments = session.moments
    .filter((moment) => moment.agent === agent)
    .slice(-MOMENTS_SHOWN)
    .reverse()
  const happened = moments.map((moment): ScreenRow => {
    const gate = moment.effect === 'deny' ? 'GATE HELD' : 'GATE RELEASED'
    const head =
      moment.kind === 'gate' ? gate : moment.kind === 'signal' ? 'SIGNAL' : (moment.tool ?? moment.event)
    const tone = EFFECTS[moment.effect][1]
    return {
      cells: [
        cell(`${timeOf(moment.at)} `, 'dim'),
        fixedWidth(
          cell(
            `${head} ${moment.input ?? ''} ${(moment.owed ?? []).join('; ')}`,
            tone === 'dim' ? undefined : tone,
          ),
          columns - 9,
        ),
      ],
    }
  })
  return [...agents, { cells: [] }, ...happened]
}

const MOMENTS_SHOWN = 100

function whyRows({ why }: TopModel, columns: number): readonly ScreenRow[] {
  if (why === undefined) return []
  const [word, tone] = EFFECTS[why.summary.effect]
  const text = (lines: readonly string[], use?: ScreenTone): readonly ScreenRow[] =>
    lines
      .flatMap((line) => wrapped(line, columns - 2))
      .map((line) => ({ cells: [own('  '), cell(line, use)] }))
  const head = (words: string): ScreenRow => ({ cells: [cell(words, 'bold')] })
  const again = why.again.kind === 'decided' ? why.again.hooks.filter(({ said }) => said !== 'pass') : []
  return [
    {
      cells: [
        cell(word, tone),
        cell(` ${why.summary.tool ?? why.summary.event}`, 'bold'),
        cell(` in ${why.cwd}`, 'dim'),
      ],
    },
    ...text([why.input ?? '']),
    ...text(why.reasons, tone === 'dim' ? undefined : tone),
    ...(why.allow.kind === 'codes'
      ? [
          head('To allow it'),
          ...text(
            why.allow.codes.map((code) => `holdpoint allow ${code}`),
            'accent',
          ),
        ]
      : []),
    ...(again.length === 0 ? [] : [head('Hooks that answered')]),
    ...again.flatMap(({ said, id, file, line }) =>
      text([`${said} ${id} (${file}${line === undefined ? '' : `:${line}`})`]),
    ),
    { cells: [] },
    { cells: [cell(`holdpoint explain ${why.summary.id}`, 'dim')] },
  ]
}
