import { resolve } from 'node:path'
import type { Decision, Finding } from '../decision.ts'
import { describeProblem } from '../errors.ts'
import type { Event } from '../event.ts'
import { type JsonObject, textAt } from '../json.ts'
import type { LoadedPlan } from '../load-plan.ts'
import { type Rehearsal, rehearse } from '../rehearse.ts'
import { findHost } from '../responder.ts'
import { liveFacts } from '../world/live-facts.ts'
import { compareDecision } from './compare.ts'
import type { CasePlace, ReadCase } from './read-file.ts'
import type { CallConfig, CaseConfig } from './schema.ts'
import { virtualFacts } from './virtual-facts.ts'

/** What cases are run against: the plan of the project as it is, and the surroundings of the caller. */
export interface CaseDesk {
  readonly loaded: LoadedPlan
  readonly project: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface CaseResult extends CasePlace {
  readonly ok: boolean
  /** What differs, or what is wrong with the case itself. Empty when all is well. */
  readonly differences: readonly string[]
  readonly expected?: string
  readonly actual?: string
  /** The findings that had something to say, for whoever wants to know why. */
  readonly spoke: readonly Finding[]
  /** Positions in the plan of the hooks that answered. */
  readonly exercised: readonly number[]
  readonly config?: CaseConfig
}

/** One case through the same path as a real call. Nothing of it is kept. */
export async function runCase(test: ReadCase, desk: CaseDesk): Promise<CaseResult> {
  const { file, line, name } = test
  const place = { file, line, name }
  if ('problems' in test) return failed(place, test.problems.map(describeProblem))
  try {
    const { decision, trace, earlier } = await rehearseCase(test.config, desk)
    const { actual, differences } = compareDecision(decision, test.config)
    return {
      ...place,
      ok: differences.length === 0,
      differences,
      expected: test.config.expect,
      actual,
      spoke: spokenIn(decision),
      exercised: [...trace, ...earlier].flatMap(({ order, outcome }) =>
        outcome === null || 'failure' in outcome ? [] : [order],
      ),
      config: test.config,
    }
  } catch (error) {
    return failed(place, [error instanceof Error ? error.message : String(error)])
  }
}

function failed(place: CasePlace, differences: readonly string[]): CaseResult {
  return { ...place, ok: false, differences, spoke: [], exercised: [] }
}

async function rehearseCase(config: CaseConfig, desk: CaseDesk): Promise<Rehearsal> {
  const { project, home } = desk
  const before: { readonly event: Event; readonly skills: readonly string[] }[] = []
  for (const earlier of config.before ?? []) {
    before.push({ event: await eventOf(earlier, project), skills: skillsOf(earlier) })
  }
  const event = await eventOf(config, project)
  const real = liveFacts({ cwd: event.cwd, home, project, env: { ...desk.env, ...config.env } })
  return rehearse(desk.loaded, event, {
    facts: config.files === undefined ? real : virtualFacts(real, config.files),
    skills: skillsOf(config),
    before,
  })
}

function skillsOf({ actor }: CallConfig): readonly string[] {
  const skill = actor?.skill ?? []
  return typeof skill === 'string' ? [skill] : skill
}

/** Through a host's own decode, so that a case means what the same call means in a session. */
async function eventOf(call: CallConfig, cwd: string): Promise<Event> {
  const host = await findHost('claude-code')
  if (!host.ok) throw new Error(describeProblem(host.problem))
  const fields = { session_id: 'policy-test', ...agentOf(call), ...fieldsOf(call) }
  const payload = { ...fields, cwd: resolve(cwd, textAt(fields, 'cwd') ?? '.') }
  const event = host.value.decode({ payload: JSON.stringify(payload), cwd })
  if (!event.ok) throw new Error(describeProblem(event.problem))
  return event.value
}

function agentOf({ actor }: CallConfig): JsonObject {
  const { agentType, role } = actor ?? {}
  const isSubagent = role === undefined ? agentType !== undefined : role === 'subagent'
  return {
    ...(isSubagent ? { agent_id: `policy-test-${agentType ?? 'agent'}` } : {}),
    ...(agentType === undefined ? {} : { agent_type: agentType }),
  }
}

function fieldsOf({ command, tool, input, output, event = 'PreToolUse' }: CallConfig): JsonObject {
  if (typeof event !== 'string') return { hook_event_name: 'PreToolUse', ...(event as JsonObject) }
  const name = command === undefined ? tool : 'Bash'
  const given = (command === undefined ? (input ?? {}) : { command }) as JsonObject
  return {
    hook_event_name: event,
    ...(name === undefined ? given : { tool_name: name, tool_input: given }),
    ...(output === undefined ? {} : { tool_response: output as JsonObject[string] }),
  }
}

function spokenIn(decision: Decision): readonly Finding[] {
  return decision.findings.filter(
    (finding) =>
      finding.effect !== 'pass' ||
      finding.failed !== undefined ||
      (finding.notices ?? finding.context ?? finding.rewrite) !== undefined,
  )
}
