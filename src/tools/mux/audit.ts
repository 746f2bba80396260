import { wordSet } from '../../core/word-list.ts'
import { missingHeadings } from '../../policy/completion/markdown.ts'
import type { JournalRecord } from '../../storage/journal/store.ts'
import type { AgentList } from './agents.ts'
import type { Signals } from './find-signals.ts'
import { resolveInProject, type Workspace } from './place.ts'
import { readFile } from './read-file.ts'
import { wrongReports } from './verify.ts'

/** The findings of an audit, the worst first. */
export interface AuditFinding {
  readonly severity: AuditSeverity
  readonly phase: Phase
  readonly what: string
}

export const PHASES = ['preflight', 'runtime', 'post'] as const
export type Phase = (typeof PHASES)[number]
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const
export type AuditSeverity = (typeof SEVERITIES)[number]

/** Whether the limits of an orchestration would be enforced here. */
export interface Readiness {
  readonly packIsOn: boolean
  readonly hooksInstalled: boolean
  readonly skillsFound: readonly string[]
}

export const SKILLS: readonly string[] = ['mux', 'mux-subagent']

export function auditBefore({ packIsOn, hooksInstalled, skillsFound }: Readiness): readonly AuditFinding[] {
  const missing = SKILLS.filter((skill) => !skillsFound.includes(skill))
  return [
    ...[...(packIsOn ? [] : [NOT_ON]), ...(hooksInstalled ? [] : [NO_HOOK])].map(as('CRITICAL', 'preflight')),
    ...missing.map((skill) => `The skill ${skill} is not installed.`).map(as('HIGH', 'preflight')),
  ]
}

const NOT_ON = 'The pack mux is off, so nothing is enforced. Run `holdpoint init --pack mux`.'
const NO_HOOK = 'No hook is installed for this project, so Holdpoint gets no events. Run `holdpoint init`.'

function as(severity: AuditSeverity, phase: Phase): (what: string) => AuditFinding {
  return (what) => ({ severity, phase, what })
}

/**
 * Tools that an orchestrator may never use. Tools that are allowed for some files or options are left to the
 * guard.
 */
const NEVER = wordSet('Write Edit MultiEdit NotebookEdit WebFetch WebSearch TaskStop')

/** From the journal: what the orchestrator tried, and what was not stopped. */
export function auditDuring(records: readonly JournalRecord[]): readonly AuditFinding[] {
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
    severity: AuditSeverity,
    words: (tool: string, how: string) => string,
  ) => counted(list).map(([tool, count]) => as(severity, 'runtime')(words(tool, times(count))))
  return [
    ...tell(got, 'CRITICAL', (tool, how) => `${tool} ran ${how} although mux was active.`),
    ...tell(broken, 'HIGH', (tool, how) => `A guard failed ${how} for ${tool}.`),
    ...tell(polled, 'MEDIUM', (tool, how) => `${tool} polled ${how} and was stopped.`),
    ...tell(stopped, 'LOW', (tool, how) => `${tool} was tried ${how} and stopped.`),
  ]
}

/** The hooks of a skill report the same call again at the same time. */
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

/** The headings that every report must have, so that an orchestrator can use the summary. */
const SECTIONS: readonly string[] = ['Table of Contents', 'Executive Summary', 'Next Steps']
const REPORT_MAX_BYTES = 8 * 1024 * 1024

/** From the session folder: what the agents left. */
export function auditAfter(
  found: Signals,
  { agents, complaints }: AgentList,
  place: Workspace,
): readonly AuditFinding[] {
  const done = found.signals.filter(({ status }) => status === 'success')
  const named = (wanted: string) =>
    agents.filter(({ status }) => status === wanted).map(({ agent_id }) => agent_id)
  const incomplete = done.flatMap(({ name, path }) => {
    const missing = missingHeadings(textOf(path, place) ?? '', SECTIONS)
    return missing.length === 0 ? [] : [`${name}: its report has no ${missing.join(', ')}.`]
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

function textOf(path: string, place: Workspace): string | undefined {
  const report = resolveInProject(path, place)
  return report.ok ? readFile(report.value, REPORT_MAX_BYTES)?.text : undefined
}

export function worstFirst(findings: readonly AuditFinding[]): readonly AuditFinding[] {
  return [...findings].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
}
