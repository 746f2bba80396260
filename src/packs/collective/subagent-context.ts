import { inProject } from '../../contracts/look.ts'
import { asFolder } from '../../contracts/names.ts'
import type { Facts } from '../../facts.ts'
import { isObject, type JsonObject, textAt } from '../../json.ts'
import type { Guard } from '../guard.ts'
import { isKnownAgent } from './agents.ts'
import { jsonAt } from './handoff/stages.ts'
import { logNote } from './log.ts'
import { readCollectiveOptions } from './options.ts'
import { consumedState, readRecovery, recoveryText } from './recovery.ts'

/** A sub-agent is told where its memory is, what was recovered, and the version it builds for. It stops nothing. */
export const subagentContext: Guard = {
  id: 'collective/subagent-context',
  title: 'A sub-agent that starts without the context of the project',
  why: 'It starts with nothing but its prompt.',
  instead: 'read your memory below .claude/agent-memory first.',
  on: ['SubagentStart'],
  match: '*',
  knowsAgents: true,
  modes: { standard: 'warn', strict: 'warn', paranoid: 'warn' },
  onFailure: 'collective',
  timeoutMs: 10_000,
  examples: {
    stops: [],
    passes: ['research-agent', 'plugin:research-agent', 'somebody', 'a name/../with more'].map(
      (agentType) => ({
        kind: 'SubagentStart' as const,
        fields: { agentId: 'a1', agentType },
      }),
    ),
  },
  async check({ event, actor, facts, options, agents }) {
    if (event.kind !== 'SubagentStart' || actor.agentType === undefined) return null
    const settings = readCollectiveOptions(options)
    const name = actor.agentType
    const state = consumedState(agents, facts) ?? (await unreadState(facts))
    const parts = [
      ...(state === undefined ? [] : [recoveryText(state)]),
      ...(await memoryHint(name, facts)),
      ...(await drupalHint(facts)),
    ]
    const known = isKnownAgent(name, settings.agents)
    const warning = `Unknown agent name: ${JSON.stringify(name.slice(0, 80))}. It starts all the same.`
    const lines = [...(known ? [] : [warning]), `context given to ${name}`]
    return {
      effect: 'pass',
      ...(parts.length === 0 ? {} : { context: [{ text: parts.join('\n\n'), to: 'self' }] }),
      ...(known ? {} : { notices: [warning] }),
      notes: lines.map((line) => logNote('subagent-context-inject', line, facts, settings)),
    }
  },
}

/** Saved, and not yet taken by a session start: the agents of a session that goes on may need it too. */
async function unreadState(facts: Facts): Promise<JsonObject | undefined> {
  const recovered = await readRecovery(facts)
  return recovered !== 'nothing' && 'state' in recovered ? recovered.state : undefined
}

/** Names come from the model: one that is no folder has no memory. */
async function memoryHint(name: string, facts: Facts): Promise<readonly string[]> {
  const folder = asFolder(name)
  if (folder === undefined) return []
  const path = `.claude/agent-memory/${folder}`
  const info = await facts.stat(inProject(path, facts))
  return info === undefined
    ? [`Your memory path is ${path}. There is nothing in it yet.`]
    : [`Your memory path is ${path}. Read it before you begin.`]
}

const CORE = ['drupal/core-recommended', 'drupal/core']

/** What is installed says more than what is asked for. */
async function drupalHint(facts: Facts): Promise<readonly string[]> {
  const composer = await jsonAt('composer.json', facts)
  const wanted = composer === undefined ? undefined : constraintIn(composer)
  if (composer === undefined || wanted === undefined) return []
  const lock = await jsonAt('composer.lock', facts)
  const installed = lock === undefined ? undefined : installedIn(lock)
  return [
    installed === undefined
      ? `Drupal version: ${wanted} (composer.json).`
      : `Drupal version: ${installed} (composer.lock; composer.json asks for ${wanted}).`,
  ]
}

function constraintIn({ require: wanted }: JsonObject): string | undefined {
  if (wanted === undefined || !isObject(wanted)) return undefined
  const found = CORE.map((name) => textAt(wanted, name)).find((version) => version !== undefined)
  return found?.slice(0, 60)
}

function installedIn({ packages }: JsonObject): string | undefined {
  const core = (Array.isArray(packages) ? packages : []).find(
    (each) => isObject(each) && each.name === 'drupal/core',
  )
  return isObject(core) ? textAt(core, 'version')?.slice(0, 60) : undefined
}
