import { actorKey, type KnownAgent, MAIN } from '../../../core/actor.ts'
import type { Patch } from '../../../core/decision.ts'
import type { Facts } from '../../../core/facts.ts'
import type { GuardInput } from '../../../core/guard.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../../core/json.ts'
import { inspectFile, projectPath } from '../../completion/inspect-file.ts'
import { LAST_ROUTE } from './handoff/answer.ts'
import { judgedIn } from './handoff/routes.ts'

export const RECOVERY_FILE = '.claude/compact-recovery.json'
const VERSION = '2.1'
const RECOVERY_MAX_BYTES = 256 * 1024

/** The saved state, with the same keys as the scripts of the collective. */
export function stateOf({ event, actor, facts, memory, agents = [] }: GuardInput): JsonObject {
  const others = agents.filter(({ id }) => id !== actorKey(event.agentId))
  const running = others.filter(({ id, ended, type }) => id !== MAIN && !ended && type !== undefined).at(-1)
  const handoff = lastHandoff(agents)
  return {
    saved_at: facts.now().toISOString(),
    active_agent: running?.type ?? handoff?.to ?? actor.agentType ?? null,
    current_task: taskIn(memory) ?? taskIn(running?.memory) ?? null,
    handoff_state: handoff ?? null,
    version: VERSION,
  }
}

type Handoff = JsonObject & { readonly to: string }

function lastHandoff(agents: readonly KnownAgent[]): Handoff | undefined {
  const all = agents.flatMap(({ memory }): readonly Handoff[] => {
    const judged = judgedIn(memory) ?? judgedIn({ 'collective/judged': memory[LAST_ROUTE] ?? null })
    if (judged?.to === undefined) return []
    return [{ from: judged.from, to: judged.to, at: new Date(judged.atMs).toISOString() }]
  })
  return all.sort((a, b) => String(a.at).localeCompare(String(b.at))).at(-1)
}

const TASK = 'collective/task'
const TASK_CHARACTERS_MAX = 1_000

export function taskPatch(task: JsonObject): Patch {
  return { op: 'set', key: TASK, value: task }
}

export function taskOf(text: string, source: string): JsonObject {
  const cut = text.length > TASK_CHARACTERS_MAX ? `${text.slice(0, TASK_CHARACTERS_MAX)}…` : text
  return { description: cut.trim(), source }
}

function taskIn(memory: JsonObject | undefined): Json | undefined {
  const task = memory?.[TASK]
  return isObject(task ?? null) ? task : undefined
}

/** `nothing`: there is no file. A string: why the existing file cannot be used. */
export type Recovered = { readonly state: JsonObject } | { readonly problem: string } | 'nothing'

/** Only a file inside this project counts. A link to another place is not a saved state. */
export async function readRecovery(facts: Facts): Promise<Recovered> {
  const look = await inspectFile(RECOVERY_FILE, facts)
  if (look.kind === 'missing') return 'nothing'
  const problem = (why: string) => ({ problem: `${RECOVERY_FILE} ${why}, so nothing was recovered from it.` })
  if (look.kind !== 'file') return problem('is not a file of this project')
  const text = await facts.readText(projectPath(RECOVERY_FILE, facts), RECOVERY_MAX_BYTES)
  if (text === undefined) return problem('cannot be read')
  try {
    const value: Json = JSON.parse(text)
    return isObject(value) ? { state: value } : problem('does not contain an object')
  } catch {
    return problem('is not JSON')
  }
}

const CHARACTERS_MAX = 3_000

/** The saved state as text for an agent. */
export function recoveryText(state: JsonObject): string {
  const handoff = state.handoff_state
  const task = state.current_task
  const lines = [
    ...line('Saved at', state.saved_at),
    ...line('Active agent', state.active_agent),
    ...line('Current task', isObject(task) ? (task.description ?? task) : task),
    ...line('Handoff state', isObject(handoff) && 'to' in handoff ? routeText(handoff) : handoff),
  ]
  return ['## State before the compaction', ...lines].join('\n').slice(0, CHARACTERS_MAX)
}

function routeText(handoff: JsonObject): string {
  return `${textAt(handoff, 'from') ?? '?'} hands over to ${textAt(handoff, 'to') ?? '?'} (${textAt(handoff, 'at') ?? 'time unknown'})`
}

function line(name: string, value: Json | undefined): readonly string[] {
  if (value === undefined || value === null || value === '') return []
  return [`- ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]
}

const CONSUMED = 'collective/recovered'
const KEPT_MS = 24 * 60 * 60 * 1000

export function consumedPatch(state: JsonObject, facts: Facts): Patch {
  return { op: 'set', key: CONSUMED, value: { atMs: facts.now().getTime(), state } }
}

/** The state that the session recovered, for agents that it starts later. The file itself is deleted by then. */
export function consumedState(agents: readonly KnownAgent[] = [], facts: Facts): JsonObject | undefined {
  const kept = agents.find(({ id }) => id === MAIN)?.memory[CONSUMED]
  if (kept === undefined || !isObject(kept) || typeof kept.atMs !== 'number') return undefined
  const isFresh = facts.now().getTime() - kept.atMs < KEPT_MS
  return isFresh && isObject(kept.state ?? null) ? (kept.state as JsonObject) : undefined
}
