import { resolve } from 'node:path'
import type { LoadedPlan } from '../../app/load-plan.ts'
import { type Rehearsal, rehearse } from '../../app/rehearse.ts'
import type { Decision, Finding } from '../../core/decision.ts'
import { describeProblem } from '../../core/errors.ts'
import type { Event } from '../../core/event.ts'
import { type JsonObject, textAt } from '../../core/json.ts'
import { findHost } from '../../hosts/find-host.ts'
import { liveFacts } from '../../system/live-facts.ts'
import { compareDecision } from './compare.ts'
import type { CasePlace, ReadCase } from './read-file.ts'
import type { CallConfig, CaseConfig } from './schema.ts'
import { virtualFacts } from './virtual-facts.ts'

/** What cases run against: the plan of the project as it is, and the environment of the caller. */
export interface CaseContext {
  readonly loaded: LoadedPlan
  readonly project: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface CaseResult extends CasePlace {
  readonly ok: boolean
  /** What differs, or what is wrong with the case itself. Empty if the case passed. */
  readonly differences: readonly string[]
  readonly expected?: string
  readonly actual?: string
  /** The findings with an opinion, to explain the decision. */
  readonly spoke: readonly Finding[]
  /** Positions in the plan of the hooks that had an opinion. */
  readonly exercised: readonly number[]
  readonly config?: CaseConfig
}

/** Runs one case on the same path as a real call. Nothing is saved. */
export async function runCase(test: ReadCase, context: CaseContext): Promise<CaseResult> {
  const { file, line, name } = test
  const place = { file, line, name }
  if ('problems' in test) return failed(place, test.problems.map(describeProblem))
  try {
    const { decision, trace, earlier } = await rehearseCase(test.config, context)
    const { actual, differences } = compareDecision(decision, test.config)
    return {
      ...place,
      ok: differences.length === 0,
      differences,
      expected: test.config.expect,
      actual,
      spoke: spokenIn(decision),
      exercised: [...trace, ...earlier].flatMap(({ hookIndex, outcome }) =>
        outcome === null || 'failure' in outcome ? [] : [hookIndex],
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

async function rehearseCase(config: CaseConfig, context: CaseContext): Promise<Rehearsal> {
  const { project, home } = context
  const before: { readonly event: Event; readonly skills: readonly string[] }[] = []
  for (const earlier of config.before ?? []) {
    before.push({ event: await eventOf(earlier, project), skills: skillsOf(earlier) })
  }
  const event = await eventOf(config, project)
  const real = liveFacts({ cwd: event.cwd, home, project, env: { ...context.env, ...config.env } })
  return rehearse(context.loaded, event, {
    facts: config.files === undefined ? real : virtualFacts(real, config.files),
    skills: skillsOf(config),
    before,
  })
}

function skillsOf({ actor }: CallConfig): readonly string[] {
  const skill = actor?.skill ?? []
  return typeof skill === 'string' ? [skill] : skill
}

/** Uses the host's own decoder, so that a case means the same as a real call in a session. */
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
