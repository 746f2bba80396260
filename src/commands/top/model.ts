import type { Effect } from '../../core/decision.ts'
import type { PendingQuestion } from '../../daemon/approvals/board-link.ts'
import type {
  Orchestration,
  RecordSummary,
  SessionDetail,
  SessionSummary,
  WhyDetail,
} from '../../tools/board/api.ts'

/** Everything that `top` shows. Views draw it, keys change it, and neither does anything else. */
export interface TopModel {
  readonly view: TopView
  /** The newest first. */
  readonly records: readonly RecordSummary[]
  readonly isStill: boolean
  /** What arrived while it stood still. */
  readonly held: readonly RecordSummary[]
  readonly only: Effect | undefined
  readonly search: string
  readonly selected: number
  readonly sessions: readonly SessionSummary[]
  readonly session?: SessionDetail
  readonly why?: WhyDetail
  readonly orchestrations: readonly Orchestration[]
  readonly questions: readonly PendingQuestion[]
  /** Who answers questions, in words. */
  readonly answers: string
  readonly mayAnswer: boolean
  readonly typing?: Typing
  readonly message: string
  readonly nowMs: number
}

export type TopView = 'live' | 'sessions' | 'mux'
export const VIEWS: readonly TopView[] = ['live', 'sessions', 'mux']

/** A line that the person types. */
export interface Typing {
  readonly kind: 'search' | 'pin' | 'reason'
  readonly text: string
  /** What is answered with it. */
  readonly answer?: 'once' | 'session' | 'deny'
  readonly reason?: string
}

export const FIRST: TopModel = {
  view: 'live',
  records: [],
  isStill: false,
  held: [],
  only: undefined,
  search: '',
  selected: 0,
  sessions: [],
  orchestrations: [],
  questions: [],
  answers: '',
  mayAnswer: false,
  message: '',
  nowMs: 0,
}

const RECORDS_MAX = 2_000

/** New records, the oldest first. The same record may come twice: from the journal and from the spool. */
export function withRecords(model: TopModel, fresh: readonly RecordSummary[]): TopModel {
  const known = new Set([...model.records, ...model.held].map(({ id }) => id))
  const added = fresh.filter(({ id }) => !known.has(id)).reverse()
  if (added.length === 0) return model
  if (model.isStill) return { ...model, held: [...added, ...model.held].slice(0, RECORDS_MAX) }
  const shown = added.filter((record) => isShown(model, record)).length
  return {
    ...model,
    records: [...added, ...model.records].slice(0, RECORDS_MAX),
    // What is selected stays selected, except at the top, where the newest is followed.
    selected: model.view === 'live' && model.selected > 0 ? model.selected + shown : model.selected,
  }
}

export function released(model: TopModel): TopModel {
  return { ...withRecords({ ...model, isStill: false, held: [] }, [...model.held].reverse()), isStill: false }
}

export function shownRecords(model: TopModel): readonly RecordSummary[] {
  return model.records.filter((record) => isShown(model, record))
}

/** The result of a call that nothing objected to says nothing new. */
function isShown({ only, search }: TopModel, record: RecordSummary): boolean {
  if (record.event === 'PostToolUse' && record.effect === 'pass' && record.call !== undefined) return false
  if (only !== undefined && record.effect !== only) return false
  if (search === '') return true
  const needle = search.toLowerCase()
  const { input = '', tool = '', host, agentType = '', project, because } = record
  return [input, tool, host, agentType, project, ...because].some((text) =>
    text.toLowerCase().includes(needle),
  )
}

/** How many rows the current view has. */
export function rowCount(model: TopModel): number {
  if (model.view === 'live') return shownRecords(model).length
  if (model.view === 'mux') return model.orchestrations.length
  return model.session === undefined ? model.sessions.length : model.session.agents.length
}
