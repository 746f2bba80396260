import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MAIN } from '../../../core/actor.ts'
import type { Effect } from '../../../core/decision.ts'
import type { JsonObject } from '../../../core/json.ts'
import type { SessionState, StateStore } from '../../../core/state/state.ts'
import { liveFacts } from '../../../system/live-facts.ts'
import { mockEvent } from '../../explain/call.ts'
import { listAgents } from '../../mux/agents.ts'
import { findSignals } from '../../mux/find-signals.ts'
import { readMarker } from '../../mux/marker.ts'
import type { Workspace } from '../../mux/place.ts'
import { verify } from '../../mux/verify.ts'
import type { Orchestration, OrchestrationAgent } from '../api.ts'
import { type ReadyPlans, verdictOf } from './decided-again.ts'

/** Calls that show what an agent may do, one for each tool that matters. */
const TRIED: readonly (readonly [tool: string, input: JsonObject])[] = [
  ['Read', { file_path: 'README.md' }],
  ['Write', { file_path: 'notes.md', content: '' }],
  ['Bash', { command: 'ls' }],
  ['Agent', { subagent_type: 'general-purpose', description: 'x', prompt: 'x', run_in_background: true }],
  ['WebFetch', { url: 'https://example.com', prompt: 'x' }],
]

const SESSIONS_MAX = 20
const AGENTS_MAX = 100

export interface OrchestrationContext {
  readonly plans: ReadyPlans
  readonly state: StateStore
  /** The user's home folder. */
  readonly home: string
}

/** The orchestrations that run in a project: agents and what each may do, their signals, and whether the gate is open. */
export async function describeOrchestrations(
  project: string,
  { plans, state, home }: OrchestrationContext,
): Promise<readonly Orchestration[]> {
  const facts = liveFacts({ cwd: project, home, project, env: {} })
  const place: Workspace = { project, realpath: facts.realpath }
  const mayDo = createTrials(project, plans, home)
  const found: Orchestration[] = []
  for (const session of sessionNames(project)) {
    const folder = readMarker(join(project, 'outputs', 'session', session, 'mux-active'))
    const signals = folder === undefined || folder === '' ? undefined : findSignals(folder, place)
    if (folder === undefined || signals?.ok !== true) continue
    const read = state.read(session)
    const known = read.ok ? read.value : undefined
    const ended = new Set([...(known?.actors ?? [])].flatMap(([id, actor]) => (actor.ended ? [id] : [])))
    const { agents: registered } = listAgents(signals.value, ended)
    const { lines } = verify('gate', signals.value, registered.length, place)
    const [gate = 'BLOCK', ...reasons] = lines
    found.push({
      session,
      folder,
      gate,
      reasons,
      signals: signals.value.signals.map(({ name, status, path }) => ({ name, status, path })),
      agents: await agentsOf(known, registered, mayDo),
    })
  }
  return found
}

function sessionNames(project: string): readonly string[] {
  try {
    return readdirSync(join(project, 'outputs', 'session'))
      .sort()
      .slice(-SESSIONS_MAX)
  } catch {
    return []
  }
}

type Registered = ReturnType<typeof listAgents>['agents']

/** The agents that events have shown, and those that the orchestrator registered and no event named. */
async function agentsOf(
  state: SessionState | undefined,
  registered: Registered,
  mayDo: Trials,
): Promise<readonly OrchestrationAgent[]> {
  const agents: OrchestrationAgent[] = []
  for (const [id, { type, skills, ended }] of [...(state?.actors ?? [])].slice(0, AGENTS_MAX)) {
    const status = registered.find(({ agent_id }) => agent_id === id)?.status
    agents.push({
      id,
      name: type ?? id,
      skills,
      status: status ?? (ended ? 'ended' : 'running'),
      may: await mayDo(id === MAIN ? undefined : (type ?? 'sub-agent'), skills),
    })
  }
  const shown = new Set(agents.map(({ id }) => id))
  for (const { agent_id: id, role, status } of registered) {
    if (shown.has(id)) continue
    const skills = ['mux-subagent']
    agents.push({ id, name: role || id, skills, status, may: await mayDo(role || 'sub-agent', skills) })
  }
  return agents
}

type Trials = (agentType: string | undefined, skills: readonly string[]) => Promise<OrchestrationAgent['may']>

/** Agents of the same type with the same skills may do the same. */
function createTrials(project: string, plans: ReadyPlans, home: string): Trials {
  const known = new Map<string, OrchestrationAgent['may']>()
  return async (agentType, skills) => {
    const key = JSON.stringify([agentType, skills])
    const before = known.get(key)
    if (before !== undefined) return before
    const plan = await plans.ofProject(project)
    const facts = liveFacts({ cwd: project, home, project, env: {} })
    const may: [string, Effect][] = []
    for (const [tool, input] of TRIED) {
      const options = { tool, args: JSON.stringify(input), event: 'PreToolUse' }
      const event = await mockEvent(
        { ...options, ...(agentType === undefined ? {} : { agentType }) },
        project,
      )
      may.push([tool, (await verdictOf(plan, event, { facts, skills, fitToHost: false })).effect])
    }
    known.set(key, may)
    return may
  }
}
