import type { Report } from './report.ts'
import type { Cell, Column } from './sections.ts'

/** A value as people read it. The text is not escaped. */
export function formatCell(cell: Cell, { kind }: Pick<Column, 'kind'>): string {
  if (cell === null) return '–'
  if (typeof cell === 'string') return cell
  if (kind === 'ms') return duration(cell)
  return kind === 'rate' ? `${Math.round(cell * 100)} %` : grouped(cell)
}

export function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`
  return `${grouped(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

/** In one unit, for small spaces. */
function roughly(ms: number): string {
  if (ms < 60_000) return duration(ms)
  const minutes = Math.round(ms / 60_000)
  return minutes < 120 ? `${minutes} min` : `${grouped(minutes / 60)} h`
}

/** What the report is about, in one line. */
export function columnSubject({ about, decisions, work }: Report): string {
  const times = [decisions.from, decisions.to, work.from, work.to].filter((time) => time !== null).sort()
  const day = (time: string | undefined) => time?.slice(0, 16).replace('T', ' ')
  const span = times.length === 0 ? 'nothing recorded yet' : `${day(times[0])} to ${day(times.at(-1))} UTC`
  return [
    about.project === undefined ? 'all projects' : about.project,
    ...(about.session === undefined ? [] : [`session ${about.session}`]),
    span,
  ].join(' · ')
}

/** What the reader must know about missing data. */
export function caveatsOf({ unread }: Report): readonly string[] {
  const { lines, files } = unread
  const many = (count: number, what: string) => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`
  return [
    ...(lines === 0
      ? []
      : [
          `${many(lines, 'line')} of the metrics could not be read and ${lines === 1 ? 'is' : 'are'} not counted.`,
        ]),
    ...(files === 0
      ? []
      : [
          `${many(files, 'file')} of the metrics could not be read and ${files === 1 ? 'is' : 'are'} not counted.`,
        ]),
  ]
}

export interface Total {
  readonly name: string
  readonly value: string
  readonly tone?: 'deny' | 'ask'
}

/** The main numbers. */
export function totalsOf({ decisions, work }: Report): readonly Total[] {
  const { effects } = decisions
  const sessions = Math.max(decisions.sessions, work.sessions)
  const subAgents = work.agents.reduce((sum, { runs }) => sum + runs, 0)
  return [
    { name: nounFor(decisions.records, 'decision'), value: grouped(decisions.records) },
    { name: 'denied', value: grouped(effects.deny), tone: 'deny' },
    { name: 'asked', value: grouped(effects.ask), tone: 'ask' },
    { name: nounFor(sessions, 'session'), value: grouped(sessions) },
    { name: nounFor(subAgents, 'sub-agent'), value: grouped(subAgents) },
    { name: 'tool time', value: roughly(work.tools.reduce((sum, { totalMs }) => sum + totalMs, 0)) },
    { name: 'deciding', value: roughly(decisions.decidingMs) },
  ]
}

function nounFor(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`
}
