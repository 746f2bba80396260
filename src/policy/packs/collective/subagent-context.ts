import type { Facts } from '../../../core/facts.ts'
import type { Guard } from '../../../core/guard.ts'
import { isObject, type JsonObject, textAt } from '../../../core/json.ts'
import { projectPath } from '../../completion/inspect-file.ts'
import { asFolder } from '../../completion/names.ts'
import { isKnownAgent } from './agents.ts'
import { jsonAt } from './handoff/stages.ts'
import { logNote } from './log.ts'
import { readCollectiveOptions } from './options.ts'
import { consumedState, readRecovery, recoveryText } from './recovery.ts'

/** Tells a sub-agent where its memory is, what was recovered, and which version it builds for. It stops nothing. */
export const subagentContext: Guard = {
  id: 'collective/subagent-context',
  title: 'Sub-agent without the context of the project',
  why: 'A sub-agent starts with its prompt only and does not know its memory or the state of the project.',
  instead: 'read your memory in .claude/agent-memory first.',
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
    const warning = `Unknown agent name: ${JSON.stringify(name.slice(0, 80))}. The agent starts anyway.`
    const lines = [...(known ? [] : [warning]), `context given to ${name}`]
    return {
      effect: 'pass',
      ...(parts.length === 0 ? {} : { context: [{ text: parts.join('\n\n'), to: 'self' }] }),
      ...(known ? {} : { notices: [warning] }),
      notes: lines.map((line) => logNote('subagent-context-inject', line, facts, settings)),
    }
  },
}

/** Saved, but not yet read by a session start. The agents of a continuing session may need it too. */
async function unreadState(facts: Facts): Promise<JsonObject | undefined> {
  const recovered = await readRecovery(facts)
  return recovered !== 'nothing' && 'state' in recovered ? recovered.state : undefined
}

/** The model chooses the names. A name that cannot be a folder name has no memory. */
async function memoryHint(name: string, facts: Facts): Promise<readonly string[]> {
  const folder = asFolder(name)
  if (folder === undefined) return []
  const path = `.claude/agent-memory/${folder}`
  const info = await facts.stat(projectPath(path, facts))
  return info === undefined
    ? [`Your memory path is ${path}. It is still empty.`]
    : [`Your memory path is ${path}. Read it before you begin.`]
}

const CORE = ['drupal/core-recommended', 'drupal/core']

/** The installed version is more exact than the required one. */
async function drupalHint(facts: Facts): Promise<readonly string[]> {
  const composer = await jsonAt('composer.json', facts)
  const wanted = composer === undefined ? undefined : constraintIn(composer)
  if (composer === undefined || wanted === undefined) return []
  const lock = await jsonAt('composer.lock', facts)
  const installed = lock === undefined ? undefined : installedIn(lock)
  return [
    installed === undefined
      ? `Drupal version: ${wanted} (composer.json).`
      : `Drupal version: ${installed} (composer.lock; composer.json requires ${wanted}).`,
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
