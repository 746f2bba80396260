import { missingHeadings } from '../contracts/markdown.ts'
import type { JournalRecord } from '../stores/store.ts'
import type { AgentList } from './agents.ts'
import type { Signals } from './find-signals.ts'
import { inProject, type Place } from './place.ts'
import { readFile } from './read-file.ts'
import { wrongReports } from './verify.ts'

/** What an audit found, the worst first. */
export interface Finding {
  readonly severity: Severity
  readonly phase: Phase
  readonly what: string
}

export const PHASES = ['preflight', 'runtime', 'post'] as const
export type Phase = (typeof PHASES)[number]
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Whether an orchestration here would be held at all. */
export interface Readiness {
  readonly packIsOn: boolean
  readonly hooksInstalled: boolean
  readonly skillsFound: readonly string[]
}

export const SKILLS: readonly string[] = ['mux', 'mux-subagent']

export function auditBefore({ packIsOn, hooksInstalled, skillsFound }: Readiness): readonly Finding[] {
  const missing = SKILLS.filter((skill) => !skillsFound.includes(skill))
  return [
    ...[...(packIsOn ? [] : [NOT_ON]), ...(hooksInstalled ? [] : [NO_HOOK])].map(as('CRITICAL', 'preflight')),
    ...missing.map((skill) => `The skill ${skill} is not installed.`).map(as('HIGH', 'preflight')),
  ]
}

const NOT_ON = 'The pack mux is not on: nothing is enforced. Run `holdpoint init --pack mux`.'
const NO_HOOK = 'No hook is installed for this project: nobody asks Holdpoint. Run `holdpoint init`.'

function as(severity: Severity, phase: Phase): (what: string) => Finding {
  return (what) => ({ severity, phase, what })
}

/** Tools an orchestrator never has; those it has for some files, or by an option, are judged by the guard alone. */
const NEVER: ReadonlySet<string> = new Set([
  ...['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'WebFetch', 'WebSearch', 'TaskStop'],
])

/** From the journal: what the orchestrator tried, and what it got through. */
export function auditDuring(records: readonly JournalRecord[]): readonly Finding[] {
  const calls = once(
    records.filter(({ event, extra }) => {
      const skills = Array.isArray(extra?.skills) ? extra.skills : []
      return event === 'PreToolUse' && skills.includes('mux') && extra?.repeated !== true
    }),
  )
  const got = calls.filter(
    ({ tool = '', effect }) => NEVER.has(tool) && (effect === 'pass' || effect === 'allow'),
  )
  const broken = calls.filter(({ failed = [] }) => failed.length > 0)
  const polled = calls.filter(({ reason = '' }) => reason.startsWith('POLLING DETECTED'))
  const stopped = calls.filter((call) => call.effect === 'deny' && !polled.includes(call))
  const tell = (
    list: readonly JournalRecord[],
    severity: Severity,
    words: (tool: string, how: string) => string,
  ) => counted(list).map(([tool, count]) => as(severity, 'runtime')(words(tool, times(count))))
  return [
    ...tell(got, 'CRITICAL', (tool, how) => `${tool} got through ${how} while mux was active.`),
    ...tell(broken, 'HIGH', (tool, how) => `A guard could not answer ${how} for ${tool}.`),
    ...tell(polled, 'MEDIUM', (tool, how) => `${tool} polled ${how} and was stopped.`),
    ...tell(stopped, 'LOW', (tool, how) => `${tool} was tried ${how} and stopped.`),
  ]
}

/** The hooks of a skill ask about the same call once more, at the same time. */
const TWICE_MS = 2_000

function once(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const last = new Map<string, number>()
  return records.filter(({ session, agent = '', tool = '', input = '', at }) => {
    const key = JSON.stringify([session, agent, tool, input])
    const [before, now] = [last.get(key), Date.parse(at)]
    last.set(key, now)
    return before === undefined || now - before > TWICE_MS
  })
}

function counted(records: readonly JournalRecord[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { tool = 'a call' } of records) counts.set(tool, (counts.get(tool) ?? 0) + 1)
  return [...counts]
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** What every report has, so that an orchestrator can do with a summary. */
const SECTIONS: readonly string[] = ['Table of Contents', 'Executive Summary', 'Next Steps']
const REPORT_MAX_BYTES = 8 * 1024 * 1024

/** From the session's folder: what the agents left. */
export function auditAfter(
  found: Signals,
  { agents, complaints }: AgentList,
  place: Place,
): readonly Finding[] {
  const done = found.signals.filter(({ status }) => status === 'success')
  const named = (wanted: string) =>
    agents.filter(({ status }) => status === wanted).map(({ agent_id }) => agent_id)
  const incomplete = done.flatMap(({ name, path }) => {
    const missing = missingHeadings(textOf(path, place) ?? '', SECTIONS)
    return missing.length === 0 ? [] : [`${name}: its report lacks ${missing.join(', ')}.`]
  })
  return [
    ...wrongReports(done, place).map(as('CRITICAL', 'post')),
    ...named('stopped')
      .map((id) => `${id} ended without a signal.`)
      .map(as('HIGH', 'post')),
    ...named('running')
      .map((id) => `${id} has not signalled.`)
      .map(as('MEDIUM', 'post')),
    ...[...found.complaints, ...complaints].map(as('MEDIUM', 'post')),
    ...incomplete.map(as('LOW', 'post')),
  ]
}

function textOf(path: string, place: Place): string | undefined {
  const report = inProject(path, place)
  return report.ok ? readFile(report.value, REPORT_MAX_BYTES)?.text : undefined
}

export function worstFirst(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
}
