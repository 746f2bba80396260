import type { RecordSummary, SessionSummary } from '../../tools/board/api.ts'
import { cell, fixedWidth, own } from './cells.ts'
import { shownRecords, type TopModel } from './model.ts'
import { clockTime, SCREEN_EFFECTS, type ScreenRow } from './row.ts'

export function liveRows(model: TopModel, columns: number, room: number): readonly ScreenRow[] {
  const records = shownRecords(model)
  if (records.length === 0) return [{ cells: [cell('Nothing was decided yet.', 'dim')] }]
  // Only what can be seen is made.
  const from = Math.max(0, model.selected - room + 1)
  return records
    .slice(from, from + room)
    .map((record, index) => recordRow(record, columns, from + index === model.selected))
}

function recordRow(record: RecordSummary, columns: number, isSelected: boolean): ScreenRow {
  const [word, tone] =
    record.host === 'person' ? (['person', 'accent'] as const) : SCREEN_EFFECTS[record.effect]
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
      cell(`${clockTime(record.at)} `, 'dim'),
      fixedWidth(cell(word, tone), 8),
      own(' '),
      ...(whoWidth === 0 ? [] : [fixedWidth(cell(who, 'accent'), whoWidth), own(' ')]),
      fixedWidth(cell(what, tone === 'dim' ? undefined : tone), textWidth),
      ...(byWidth === 0 ? [] : [own('  '), cell(by, 'dim')]),
    ],
  }
}

export function sessionRows({ sessions, selected, nowMs }: TopModel, columns: number): readonly ScreenRow[] {
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
