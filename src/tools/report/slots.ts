import type { Effect } from '../../core/decision.ts'

export type Tally = Readonly<Record<Effect, number>>

/**
 * Decisions of an hour, a day, a week or a month (UTC). Empty slots are included, so that time is evenly
 * spaced.
 */
export interface Slot extends Tally {
  /** The ISO time of its start. */
  readonly start: string
  readonly label: string
}

type Unit = 'hour' | 'day' | 'week' | 'month'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The shortest slots that still fit into the chart. */
const SLOTS_MAX = 60
/** Limits what a wrong clock can have written. */
const SLOTS_EVER = 240

/** `hours` are counts by the first 13 characters of their ISO time. */
export function slotsOf(hours: ReadonlyMap<string, Tally>): readonly Slot[] {
  const known = [...hours]
    .map(([hour, tally]) => ({ atMs: Date.parse(`${hour}:00:00Z`), tally }))
    .filter(({ atMs }) => !Number.isNaN(atMs))
    .sort((a, b) => a.atMs - b.atMs)
  const first = known[0]?.atMs
  const last = known.at(-1)?.atMs
  if (first === undefined || last === undefined) return []
  const unit = unitFor(last - first)
  const slots = new Map<number, Record<Effect, number>>()
  let startMs = startOf(unit, first)
  for (let count = 0; startMs <= last && count < SLOTS_EVER; count += 1) {
    slots.set(startMs, { pass: 0, allow: 0, ask: 0, deny: 0 })
    startMs = nextOf(unit, startMs)
  }
  for (const { atMs, tally } of known) {
    const slot = slots.get(startOf(unit, atMs))
    if (slot !== undefined) for (const effect of EFFECT_KEYS) slot[effect] += tally[effect]
  }
  return [...slots].map(([start, tally]) => ({
    start: new Date(start).toISOString(),
    label: labelOf(unit, new Date(start)),
    ...tally,
  }))
}

const EFFECT_KEYS = ['pass', 'allow', 'ask', 'deny'] as const

function unitFor(spanMs: number): Unit {
  if (spanMs < SLOTS_MAX * HOUR_MS) return 'hour'
  if (spanMs < SLOTS_MAX * DAY_MS) return 'day'
  return spanMs < SLOTS_MAX * 7 * DAY_MS ? 'week' : 'month'
}

function startOf(unit: Unit, atMs: number): number {
  const at = new Date(atMs)
  switch (unit) {
    case 'hour':
      return atMs - (atMs % HOUR_MS)
    case 'day':
      return atMs - (atMs % DAY_MS)
    case 'week':
      // Weeks start on Monday.
      return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
    case 'month':
      return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)
  }
}

function nextOf(unit: Unit, startMs: number): number {
  const start = new Date(startMs)
  switch (unit) {
    case 'hour':
      return startMs + HOUR_MS
    case 'day':
      return startMs + DAY_MS
    case 'week':
      return startMs + 7 * DAY_MS
    case 'month':
      return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)
  }
}

function labelOf(unit: Unit, start: Date): string {
  const iso = start.toISOString()
  switch (unit) {
    case 'hour':
      return `${iso.slice(5, 10)} ${iso.slice(11, 13)}h`
    case 'day':
      return iso.slice(5, 10)
    case 'week':
      return iso.slice(0, 10)
    case 'month':
      return iso.slice(0, 7)
  }
}
