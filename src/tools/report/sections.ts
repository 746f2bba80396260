import type { Figures } from '../../policy/metrics/figures.ts'
import type { Research } from '../../policy/metrics/research.ts'
import type { DecisionFigures } from './decisions.ts'
import type { Report } from './report.ts'

/** A report as tables: what the terminal, Markdown and CSV print, and what is below the charts of a page. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** The text if there are no rows. */
  readonly empty: string
}

export interface Column {
  readonly title: string
  readonly kind: 'text' | 'count' | 'ms' | 'rate'
  /** Drawn as a part of the row's bar, in this tone. */
  readonly bar?: Tone
}

export type Cell = string | number | null
export type Tone = 'deny' | 'ask' | 'allow' | 'pass' | 'plain'

/**
 * Marks data that only the pack `collective` collects: if it is off, one sentence says so for all such
 * tables.
 */
const COLLECTED = ''

/** The tables that have data or a text, and the names of those without data. */
export function shownSections(report: Report): {
  readonly sections: readonly Section[]
  readonly missing: string | undefined
} {
  const all = sectionsOf(report)
  const isMissing = ({ rows, empty }: Section) => rows.length === 0 && empty === COLLECTED
  const missing = all.filter(isMissing).map(({ title }) => title.toLowerCase())
  return {
    sections: all.filter((section) => !isMissing(section)),
    missing:
      missing.length === 0
        ? undefined
        : `There is no data about: ${missing.join(', ')}. To collect it, switch on the pack collective.`,
  }
}

export function sectionsOf({ decisions, work, research }: Report): readonly Section[] {
  return [
    overTime(decisions),
    ...(decisions.weeks.length === 0 ? [] : [trend(decisions)]),
    byGuard(decisions),
    tools(work),
    agents(work),
    routes(work),
    handoffs(work),
    stops(decisions),
    owed(decisions),
    tests(work),
    questions(research),
  ]
}

function overTime({ slots }: DecisionFigures): Section {
  return {
    id: 'time',
    title: 'Decisions over time (UTC)',
    columns: [
      text('From'),
      count('Denied', 'deny'),
      count('Asked', 'ask'),
      count('Allowed'),
      count('No opinion'),
    ],
    rows: slots.map(({ label, deny, ask, allow, pass }) => [label, deny, ask, allow, pass]),
    empty: 'The journal has no records of this period.',
  }
}

/** Week by week, with the change of the rate since the week before. */
function trend({ weeks }: DecisionFigures): Section {
  return {
    id: 'weeks',
    title: 'Weeks (UTC, from Monday)',
    columns: [
      text('Week'),
      count('Sessions'),
      count('Decisions'),
      count('Denied', 'deny'),
      rate('Denied of all'),
      text('Change'),
      count('Stops blocked'),
      count('Allowed anyway'),
    ],
    rows: weeks.map(({ week, sessions, decisions, denied, deniedRate, held, letGo }, index) => [
      week,
      sessions,
      decisions,
      denied,
      deniedRate,
      changeOf(weeks[index - 1]?.deniedRate, deniedRate),
      held,
      letGo,
    ]),
    empty: '',
  }
}

function changeOf(before: number | undefined, now: number): string {
  if (before === undefined) return '–'
  const points = Math.round((now - before) * 1_000) / 10
  return points === 0 ? 'same' : `${points > 0 ? '+' : ''}${points} points`
}

function byGuard({ guards }: DecisionFigures): Section {
  return {
    id: 'guards',
    title: 'Decisions by guard',
    columns: [
      text('Guard'),
      count('Denied', 'deny'),
      count('Asked', 'ask'),
      count('Allowed', 'allow'),
      count('Failed', 'pass'),
    ],
    rows: guards.map(({ name, deny, ask, allow, failed }) => [name, deny, ask, allow, failed]),
    empty: 'No guard stopped a call.',
  }
}

function tools(work: Figures): Section {
  const sorted = [...work.tools].sort((a, b) => b.totalMs - a.totalMs || b.calls - a.calls)
  return {
    id: 'tools',
    title: 'Tool time',
    columns: [text('Tool'), count('Calls'), count('Failed'), ms('Mean'), ms('Longest'), ms('Total', 'plain')],
    rows: sorted.map(({ name, calls, failed, timed, totalMs, maxMs }) =>
      timed === 0
        ? [name, calls, failed, null, null, null]
        : [name, calls, failed, Math.round(totalMs / timed), maxMs, totalMs],
    ),
    empty: 'No tool was called.',
  }
}

function agents({ agents: rows }: Figures): Section {
  return {
    id: 'agents',
    title: 'Sub-agents',
    columns: [
      text('Agent'),
      count('Runs'),
      count('Finished'),
      count('Tool calls'),
      ms('Mean'),
      ms('Total', 'plain'),
    ],
    rows: rows.map(({ name, runs, finished, calls, totalMs }) => [
      name,
      runs,
      finished,
      calls,
      ...(finished === 0 ? [null, null] : [Math.round(totalMs / finished), totalMs]),
    ]),
    empty: COLLECTED,
  }
}

function routes({ routes: rows }: Figures): Section {
  return {
    id: 'routes',
    title: 'Calls between agents',
    columns: [text('Caller'), text('Called'), count('Times', 'plain')],
    rows: rows.map(({ from, to, count: times }) => [from, to, times]),
    empty: 'No agent called another agent.',
  }
}

function handoffs({ handoffs: rows }: Figures): Section {
  return {
    id: 'handoffs',
    title: 'Handoffs',
    columns: [
      text('From'),
      text('To'),
      count('Routed', 'allow'),
      count('Completed', 'plain'),
      count('Blocked', 'ask'),
      count('Failed', 'deny'),
    ],
    rows: rows.map(({ from, to, routed, completed, held, failed }) => [
      from,
      to,
      routed,
      completed,
      held,
      failed,
    ]),
    empty: COLLECTED,
  }
}

function stops({ stops: rows }: DecisionFigures): Section {
  return {
    id: 'stops',
    title: 'Stop attempts',
    columns: [text('Agent'), count('Blocked', 'ask'), count('Allowed', 'allow')],
    rows: rows.map(({ agent, held, ended }) => [agent, held, ended]),
    empty: 'No agent tried to stop.',
  }
}

function owed({ owed: rows }: DecisionFigures): Section {
  return {
    id: 'owed',
    title: 'Work that was missing when agents wanted to stop',
    columns: [
      text('Agent'),
      text('Required by'),
      text('Missing'),
      count('Blocked', 'ask'),
      count('Allowed without it', 'deny'),
    ],
    rows: rows.map(({ agent, contract, missing, held, letGo }) => [agent, contract, missing, held, letGo]),
    empty: 'No agent was kept from stopping because of missing work.',
  }
}

function tests({ tests: rows }: Figures): Section {
  return {
    id: 'tests',
    title: 'Test runs',
    columns: [text('Command'), count('Passed', 'allow'), count('Failed', 'deny'), count('Unclear', 'pass')],
    rows: rows.map(({ runner, passed, failed, unclear }) => [runner, passed, failed, unclear]),
    empty: COLLECTED,
  }
}

function questions({ jit, hubSpoke, tdd }: Research): Section {
  const asked = [
    ['Calls that fetch context when it is needed', jit],
    ['Agents called through the hub', hubSpoke],
    ['Test runs that passed', tdd],
  ] as const
  return {
    id: 'research',
    title: 'Research',
    columns: [text('Question'), rate('Rate', 'plain'), count('Seen'), rate('Confidence')],
    rows: asked
      .filter(([, { n }]) => n > 0)
      .map(([name, { rate: found, n, confidence }]) => [name, found, n, confidence]),
    empty: COLLECTED,
  }
}

function text(title: string): Column {
  return { title, kind: 'text' }
}

function column(kind: Column['kind'], title: string, bar: Tone | undefined): Column {
  return { title, kind, ...(bar === undefined ? {} : { bar }) }
}

function count(title: string, bar?: Tone): Column {
  return column('count', title, bar)
}

function ms(title: string, bar?: Tone): Column {
  return column('ms', title, bar)
}

function rate(title: string, bar?: Tone): Column {
  return column('rate', title, bar)
}
