import { cell, lineOf, own, type ScreenCell } from './cells.ts'
import { sessionDetailRows, whyRows } from './detail-rows.ts'
import { liveRows, sessionRows } from './list-rows.ts'
import { type TopModel, type TopView, VIEWS } from './model.ts'
import { muxLines } from './mux-lines.ts'
import { questionRows } from './question-rows.ts'
import type { ScreenRow } from './row.ts'

export interface DrawOptions {
  readonly rows: number
  readonly columns: number
  readonly colours: boolean
}

const TITLES: Readonly<Record<TopView, string>> = { live: 'Live', sessions: 'Sessions', mux: 'MUX' }
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

function viewRows(model: TopModel, columns: number, room: number): readonly ScreenRow[] {
  if (model.view === 'live') return liveRows(model, columns, room)
  if (model.view === 'mux') return muxLines(model, columns)
  return model.session === undefined ? sessionRows(model, columns) : sessionDetailRows(model, columns)
}
