import type { Effect } from '../../core/decision.ts'
import { isObject, textAt } from '../../core/json.ts'
import { type AgentFigure, addRows, type RouteFigure, type ToolFigure } from '../../policy/metrics/figures.ts'
import { shortName } from '../../policy/metrics/metric.ts'
import type { JournalRecord } from '../../storage/journal/store.ts'
import { type AgentRun, agentsOf, noteAgent } from './agent-runs.ts'
import { isSecondDelivery } from './second-delivery.ts'
import { type Slot, slotsOf, type Tally } from './slots.ts'
import { noteWeek, type WeekDraft, type WeekFigure, weeksOf } from './weeks.ts'

/** The journal of a period in numbers: which guards decided what, when, and which tools ran. */
export interface DecisionFigures {
  readonly records: number
  readonly sessions: number
  /** ISO times of the first and last record; null if there is none. */
  readonly from: string | null
  readonly to: string | null
  readonly effects: Tally
  readonly guards: readonly GuardFigure[]
  readonly slots: readonly Slot[]
  /** Empty where there is only one week. */
  readonly weeks: readonly WeekFigure[]
  readonly tools: readonly ToolFigure[]
  readonly agents: readonly AgentFigure[]
  readonly routes: readonly RouteFigure[]
  readonly stops: readonly StopFigure[]
  readonly owed: readonly OwedFigure[]
  /** The time that deciding took. */
  readonly decidingMs: number
}

export interface GuardFigure {
  /** The guard, rule or hook. */
  readonly name: string
  readonly deny: number
  readonly ask: number
  readonly allow: number
  readonly failed: number
}

/** How often an agent tried to stop, and was blocked. */
export interface StopFigure {
  readonly agent: string
  readonly held: number
  readonly ended: number
}

/** What an agent owed when it wanted to end: how often it was held for it, and whether it was let go without it. */
export interface OwedFigure {
  readonly agent: string
  readonly contract: string
  readonly missing: string
  readonly held: number
  readonly letGo: number
}

/** Reads every record once and keeps none. */
export function foldRecords(records: Iterable<JournalRecord>): DecisionFigures {
  const draft: Draft = {
    calls: new Map(),
    weeks: new Map(),
    agents: new Map(),
    records: 0,
    sessions: new Set(),
    effects: { pass: 0, allow: 0, ask: 0, deny: 0 },
    hours: new Map(),
    guards: rowsBy(['name'], (row) => row.deny + row.ask + row.allow + row.failed),
    tools: rowsBy(['name'], (row) => row.calls),
    routes: rowsBy(['from', 'to'], (row) => row.count),
    stops: rowsBy(['agent'], (row) => row.held + row.ended),
    owed: rowsBy(['agent', 'contract', 'missing'], (row) => row.letGo * 1_000_000 + row.held),
    decidingMs: 0,
    from: null,
    to: null,
  }
  for (const record of records) note(draft, record)
  return {
    records: draft.records,
    sessions: draft.sessions.size,
    from: draft.from,
    to: draft.to,
    effects: draft.effects,
    guards: draft.guards.all(),
    slots: slotsOf(draft.hours),
    weeks: weeksOf(draft.weeks),
    tools: draft.tools.all(),
    agents: agentsOf(draft.agents),
    routes: draft.routes.all(),
    stops: draft.stops.all(),
    owed: draft.owed.all(),
    decidingMs: Math.round(draft.decidingMs),
  }
}

interface Draft {
  /** When a call was met last. */
  readonly calls: Map<string, number>
  readonly weeks: Map<string, WeekDraft>
  /** Sub-agents by session and id. */
  readonly agents: Map<string, AgentRun>
  records: number
  readonly sessions: Set<string>
  readonly effects: Record<Effect, number>
  readonly hours: Map<string, Record<Effect, number>>
  readonly guards: Rows<GuardFigure>
  readonly tools: Rows<ToolFigure>
  readonly routes: Rows<RouteFigure>
  readonly stops: Rows<StopFigure>
  readonly owed: Rows<OwedFigure>
  decidingMs: number
  from: string | null
  to: string | null
}

/** Rows are summed up from time to time, so that a long journal is never in memory as a whole. */
interface Rows<T> {
  add(row: T): void
  all(): readonly T[]
}

const ROWS_WAITING_MAX = 5_000

function rowsBy<T extends object>(keys: readonly (keyof T & string)[], weight: (row: T) => number): Rows<T> {
  let rows: readonly T[] = []
  let waiting: T[] = []
  const all = () => {
    rows = addRows([...rows, ...waiting], keys, weight)
    waiting = []
    return rows
  }
  return {
    all,
    add(row) {
      waiting.push(row)
      if (waiting.length >= ROWS_WAITING_MAX) all()
    },
  }
}

function note(draft: Draft, record: JournalRecord): void {
  if (isSecondDelivery(draft.calls, record)) return
  const { at, effect, event } = record
  draft.records += 1
  if (record.session !== '') draft.sessions.add(record.session)
  draft.effects[effect] += 1
  draft.decidingMs += record.durationMs
  if (draft.from === null || at < draft.from) draft.from = at
  if (draft.to === null || at > draft.to) draft.to = at
  const hour = draft.hours.get(at.slice(0, 13)) ?? { pass: 0, allow: 0, ask: 0, deny: 0 }
  hour[effect] += 1
  draft.hours.set(at.slice(0, 13), hour)
  noteGuards(draft, record)
  noteWeek(draft.weeks, record)
  noteAgent(draft.agents, record)
  if (event === 'PostToolUse' || event === 'PostToolUseFailure') noteTool(draft, record)
  if (event === 'Stop' || event === 'SubagentStop') noteStop(draft, record)
}

function noteGuards({ guards }: Draft, { effect, because, failed = [] }: JournalRecord): void {
  const none = { deny: 0, ask: 0, allow: 0, failed: 0 }
  for (const hook of effect === 'pass' ? [] : because)
    guards.add({ name: shortName(hook), ...none, [effect]: 1 })
  for (const text of failed) {
    const [hook = ''] = text.split(': ', 1)
    guards.add({ name: shortName(hook), ...none, failed: 1 })
  }
}

function noteTool({ tools, routes }: Draft, record: JournalRecord): void {
  const toolMs = record.extra?.toolMs
  const isTimed = typeof toolMs === 'number' && Number.isFinite(toolMs) && toolMs >= 0
  const ms = isTimed ? toolMs : 0
  const failed = record.event === 'PostToolUseFailure' ? 1 : 0
  const name = record.tool ?? ''
  tools.add({ name: shortName(name), calls: 1, failed, timed: isTimed ? 1 : 0, totalMs: ms, maxMs: ms })
  if (failed === 1 || (name !== 'Agent' && name !== 'spawn_agent')) return
  // A long input is cut, so it may not be valid JSON; a quote inside a text would be escaped.
  const type = /"subagent_type":"([^"\\]{1,200})"/.exec(record.input ?? '')?.[1]
  routes.add({ from: whoOf(record), to: shortName(type ?? '(no type)'), count: 1 })
}

function noteStop({ stops, owed }: Draft, record: JournalRecord): void {
  const held = record.effect === 'deny' ? 1 : 0
  if (record.event === 'SubagentStop' && record.agentType === undefined) return
  stops.add({ agent: whoOf(record), held, ended: 1 - held })
  const owing = record.extra?.owed
  for (const each of Array.isArray(owing) ? owing.filter(isObject) : []) {
    const missing = Array.isArray(each.missing) ? each.missing.map(String).join(' ') : ''
    const row = {
      agent: whoOf(record),
      contract: shortName(textAt(each, 'by') ?? ''),
      missing: missing.slice(0, 300),
    }
    owed.add({ ...row, held, letGo: 1 - held })
  }
}

function whoOf({ agent, agentType }: JournalRecord): string {
  return agent === undefined ? 'main' : shortName(agentType ?? '(no type)')
}
