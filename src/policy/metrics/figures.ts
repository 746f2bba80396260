/**
 * The totals of one or more sessions. Plain JSON; every list is sorted and bounded. Two totals can be added, so a day
 * is the sum of its sessions, and a report is the sum of its days.
 */
export interface Figures {
  /** ISO times of the first and last metric; null if there is none. */
  readonly from: string | null
  readonly to: string | null
  readonly sessions: number
  readonly turns: number
  readonly tools: readonly ToolFigure[]
  readonly agents: readonly AgentFigure[]
  readonly routes: readonly RouteFigure[]
  readonly handoffs: readonly HandoffFigure[]
  readonly tests: readonly TestFigure[]
  /** Context that was loaded when it was needed. */
  readonly loads: Loads
}

export interface ToolFigure {
  readonly name: string
  readonly calls: number
  readonly failed: number
  /** Calls whose duration the agent reported. */
  readonly timed: number
  readonly totalMs: number
  readonly maxMs: number
}

export interface AgentFigure {
  readonly name: string
  readonly runs: number
  readonly finished: number
  readonly totalMs: number
  readonly maxMs: number
  /** Tool calls of all its runs. */
  readonly calls: number
}

/** Which agent called which; `main` is the agent of the session. */
export interface RouteFigure {
  readonly from: string
  readonly to: string
  readonly count: number
}

export interface HandoffFigure {
  readonly from: string
  /** Empty if the work was not handed to another agent. */
  readonly to: string
  readonly routed: number
  readonly completed: number
  readonly held: number
  readonly failed: number
}

/** Runs of a test command, not single tests. */
export interface TestFigure {
  readonly runner: string
  readonly passed: number
  readonly failed: number
  /** Runs with an unknown result. */
  readonly unclear: number
}

export interface Loads {
  readonly reads: number
  readonly searches: number
  readonly web: number
  readonly skills: number
}

export const NO_FIGURES: Figures = {
  from: null,
  to: null,
  sessions: 0,
  turns: 0,
  tools: [],
  agents: [],
  routes: [],
  handoffs: [],
  tests: [],
  loads: { reads: 0, searches: 0, web: 0, skills: 0 },
}

/** Names beyond this number share one row, because the model chooses the names. */
const ROWS_MAX = 200
export const OTHERS = '(others)'

export function addFigures(all: readonly Figures[]): Figures {
  if (all.length === 0) return NO_FIGURES
  const times = (key: 'from' | 'to') => all.flatMap((each) => each[key] ?? []).sort()
  return {
    from: times('from')[0] ?? null,
    to: times('to').at(-1) ?? null,
    sessions: sum(all, (each) => each.sessions),
    turns: sum(all, (each) => each.turns),
    tools: addRows(
      all.flatMap((each) => each.tools),
      ['name'],
      (row) => row.calls,
    ),
    agents: addRows(
      all.flatMap((each) => each.agents),
      ['name'],
      (row) => row.runs,
    ),
    routes: addRows(
      all.flatMap((each) => each.routes),
      ['from', 'to'],
      (row) => row.count,
    ),
    handoffs: addRows(
      all.flatMap((each) => each.handoffs),
      ['from', 'to'],
      handoffCount,
    ),
    tests: addRows(
      all.flatMap((each) => each.tests),
      ['runner'],
      testCount,
    ),
    loads: {
      reads: sum(all, (each) => each.loads.reads),
      searches: sum(all, (each) => each.loads.searches),
      web: sum(all, (each) => each.loads.web),
      skills: sum(all, (each) => each.loads.skills),
    },
  }
}

export function handoffCount({ routed, completed, held, failed }: HandoffFigure): number {
  return routed + completed + held + failed
}

function testCount({ passed, failed, unclear }: TestFigure): number {
  return passed + failed + unclear
}

/** One row per name, largest first, with the rest in one row. Numbers are added, except `maxMs`. */
export function addRows<T extends object>(
  rows: readonly T[],
  keys: readonly (keyof T & string)[],
  weight: (row: T) => number,
): readonly T[] {
  const byKey = new Map<string, T>()
  const put = (row: T) => {
    const key = JSON.stringify(keys.map((name) => row[name]))
    const known = byKey.get(key)
    byKey.set(key, known === undefined ? row : added(known, row))
  }
  for (const row of rows) put(row)
  if (byKey.size > ROWS_MAX) {
    const sorted = sortRows([...byKey.values()], keys, weight)
    for (const row of sorted.slice(ROWS_MAX - 1)) {
      byKey.delete(JSON.stringify(keys.map((name) => row[name])))
      put({ ...row, ...Object.fromEntries(keys.map((name) => [name, OTHERS])) })
    }
  }
  return sortRows([...byKey.values()], keys, weight)
}

function sortRows<T extends object>(
  rows: T[],
  keys: readonly (keyof T & string)[],
  weight: (row: T) => number,
): T[] {
  const name = (row: T) => keys.map((key) => String(row[key])).join('\0')
  return rows.sort((a, b) => weight(b) - weight(a) || (name(a) < name(b) ? -1 : 1))
}

function added<T extends object>(left: T, right: T): T {
  const entries = Object.entries(left).map(([key, value]): [string, unknown] => {
    const other: unknown = right[key as keyof T]
    if (typeof value !== 'number' || typeof other !== 'number') return [key, value]
    return [key, key === 'maxMs' ? Math.max(value, other) : value + other]
  })
  return Object.fromEntries(entries) as T
}

function sum<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}
