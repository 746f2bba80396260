import type { JournalRecord } from '../../storage/journal/store.ts'

/** One week (UTC, from Monday), to compare with the week before. */
export interface WeekFigure {
  /** The Monday, `2026-01-12`. */
  readonly week: string
  readonly sessions: number
  readonly decisions: number
  readonly denied: number
  /** Denied of all decisions, 0 to 1. */
  readonly deniedRate: number
  /** Ends of agents that were sent back. */
  readonly held: number
  /** Agents that ended although something was missing. */
  readonly letGo: number
}

export interface WeekDraft {
  readonly sessions: Set<string>
  decisions: number
  denied: number
  held: number
  letGo: number
}

/** Two years are enough to see a trend; a clock that was wrong must not fill the table. */
const WEEKS_MAX = 104
const DAY_MS = 86_400_000

export function noteWeek(weeks: Map<string, WeekDraft>, record: JournalRecord): void {
  const week = mondayOf(record.at)
  if (week === undefined) return
  const draft = weeks.get(week) ?? { sessions: new Set(), decisions: 0, denied: 0, held: 0, letGo: 0 }
  weeks.set(week, draft)
  const isEnd = record.event === 'Stop' || record.event === 'SubagentStop'
  const isDenied = record.effect === 'deny'
  if (record.session !== '') draft.sessions.add(record.session)
  draft.decisions += 1
  if (isDenied) draft.denied += 1
  if (isEnd && isDenied) draft.held += 1
  if (isEnd && !isDenied && Array.isArray(record.extra?.owed)) draft.letGo += 1
}

/** The oldest first. A single week shows no trend. */
export function weeksOf(weeks: ReadonlyMap<string, WeekDraft>): readonly WeekFigure[] {
  const sorted = [...weeks].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-WEEKS_MAX)
  if (sorted.length < 2) return []
  return sorted.map(([week, { sessions, decisions, denied, held, letGo }]) => {
    const deniedRate = Math.round((denied / decisions) * 1_000) / 1_000
    return { week, sessions: sessions.size, decisions, denied, deniedRate, held, letGo }
  })
}

function mondayOf(at: string): string | undefined {
  const day = Date.parse(`${at.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(day)) return undefined
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
  return new Date(day - sinceMonday * DAY_MS).toISOString().slice(0, 10)
}
