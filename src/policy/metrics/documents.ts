import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import { addFigures, type Figures } from './figures.ts'
import { SCHEMA } from './metric.ts'
import { type Research, researchOf } from './research.ts'

/** The state of a session at one moment. */
export interface Snapshot {
  readonly schema: typeof SCHEMA
  readonly at: string
  readonly sessionId: string
  readonly figures: Figures
}

/** All sessions that started on one day (UTC). */
export interface Aggregation {
  readonly schema: typeof SCHEMA
  readonly at: string
  readonly day: string
  readonly figures: Figures
}

/** The totals of one session, and of all known sessions. */
export interface SessionReport {
  readonly schema: typeof SCHEMA
  readonly at: string
  readonly sessionId: string
  readonly session: Figures
  readonly all: Figures
  readonly research: Research
}

export function snapshotOf(sessionId: string, figures: Figures, at: Date): Snapshot {
  return { schema: SCHEMA, at: at.toISOString(), sessionId, figures }
}

/** The day of a session is the day it started on, so that every session counts for exactly one day. */
export function dayOf(figures: Figures): string | undefined {
  return figures.from?.slice(0, 10)
}

export function aggregationOf(day: string, snapshots: readonly Snapshot[], at: Date): Aggregation {
  const figures = addFigures(snapshots.map((each) => each.figures).filter((each) => dayOf(each) === day))
  return { schema: SCHEMA, at: at.toISOString(), day, figures }
}

export function sessionReport(snapshot: Snapshot, all: readonly Snapshot[], at: Date): SessionReport {
  const sum = addFigures(all.map((each) => each.figures))
  const { sessionId, figures } = snapshot
  return {
    schema: SCHEMA,
    at: at.toISOString(),
    sessionId,
    session: figures,
    all: sum,
    research: researchOf(sum),
  }
}

export function parseSnapshot(text: string | undefined): Snapshot | undefined {
  const { json, figures } = parsed(text)
  const at = textAt(json, 'at')
  if (figures === undefined || at === undefined || typeof json.sessionId !== 'string') return undefined
  return { schema: SCHEMA, at, sessionId: json.sessionId, figures }
}

export function parseAggregation(text: string | undefined): Aggregation | undefined {
  const { json, figures } = parsed(text)
  const at = textAt(json, 'at')
  const day = textAt(json, 'day')
  return figures === undefined || at === undefined || day === undefined
    ? undefined
    : { schema: SCHEMA, at, day, figures }
}

function parsed(text: string | undefined): {
  readonly json: JsonObject
  readonly figures: Figures | undefined
} {
  let json: Json = null
  try {
    json = JSON.parse(text ?? '')
  } catch {
    // Torn, or somebody else's: there are no figures in it.
  }
  if (!isObject(json)) return { json: {}, figures: undefined }
  return { json, figures: json.schema === SCHEMA ? readFigures(json.figures) : undefined }
}

/**
 * Other programs can write these files, so every number is checked. One wrong number makes the whole file invalid.
 */
function readFigures(value: Json | undefined): Figures | undefined {
  if (value === undefined || !isObject(value)) return undefined
  const { from, to, loads } = value
  const lists = Object.entries(ROWS).every(([key, shape]) => isRows(value[key], shape))
  const isWhole =
    lists &&
    [from, to].every(
      (time) => time === null || (typeof time === 'string' && !Number.isNaN(Date.parse(time))),
    ) &&
    isNumbers(value, ['sessions', 'turns']) &&
    isObject(loads ?? null) &&
    isNumbers(loads as JsonObject, ['reads', 'searches', 'web', 'skills'])
  return isWhole ? (value as unknown as Figures) : undefined
}

interface Shape {
  readonly texts: readonly string[]
  readonly numbers: readonly string[]
}

const ROWS: Readonly<Record<string, Shape>> = {
  tools: { texts: ['name'], numbers: ['calls', 'failed', 'timed', 'totalMs', 'maxMs'] },
  agents: { texts: ['name'], numbers: ['runs', 'finished', 'totalMs', 'maxMs', 'calls'] },
  routes: { texts: ['from', 'to'], numbers: ['count'] },
  handoffs: { texts: ['from', 'to'], numbers: ['routed', 'completed', 'held', 'failed'] },
  tests: { texts: ['runner'], numbers: ['passed', 'failed', 'unclear'] },
}

function isRows(value: Json | undefined, { texts, numbers }: Shape): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (row) => isObject(row) && texts.every((key) => typeof row[key] === 'string') && isNumbers(row, numbers),
    )
  )
}

function isNumbers(object: JsonObject, keys: readonly string[]): boolean {
  return keys.every((key) => {
    const value = object[key]
    return typeof value === 'number' && Number.isFinite(value) && value >= 0
  })
}
