import { deadlinesOf } from '../core/deadlines.ts'
import type { EventKind } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import { answeringLine, hookArguments, shellCommand } from '../hosts/hook-entry.ts'
import { INSTALLERS } from '../hosts/installers.ts'
import { filledSkill } from './mux/skills.ts'

/**
 * One folder for two open standards, `.agents/plugins/holdpoint`: Open Plugins (`hooks/hooks.json`, which Goose reads)
 * and Agent Plugins 1.0 (`plugin.json` and skills, which Cline reads).
 */
export interface AgentPluginParts {
  readonly version: string
  readonly license: string
  /** The program that finds Holdpoint, `plugin/bin/holdpoint-hook`. */
  readonly launcher: string
  /** The texts of the skills, by their path below `skills`. */
  readonly skills: Readonly<Record<string, string>>
}

/** Where agents read its skills, if it is installed for a user. */
const SHOWN = '~/.agents/plugins/holdpoint/skills'

export const AGENT_PLUGIN_LAUNCHER = 'bin/holdpoint-hook'

/** The text of each file. The launcher must be executable. */
export async function agentPluginFiles(parts: AgentPluginParts): Promise<Readonly<Record<string, string>>> {
  const { version, license, launcher, skills } = parts
  const description = 'Checks every action of an agent against your policies before it happens.'
  const $schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json'
  const pairs = Object.entries(skills).map(
    ([path, text]) => [`skills/${path}`, filledSkill(text, { shown: SHOWN })] as const,
  )
  return {
    'plugin.json': json({ $schema, name: 'holdpoint', version, description, license }),
    'hooks/hooks.json': json({ description, hooks: await gooseHooks() }),
    [AGENT_PLUGIN_LAUNCHER]: launcher,
    ...Object.fromEntries(pairs),
  }
}

/** Goose is the only agent that is known to start hooks of Open Plugins: they are in its words. */
async function gooseHooks(): Promise<JsonObject> {
  const member = await INSTALLERS.goose?.()
  const events = member?.installer.events ?? []
  return Object.fromEntries(events.map((event) => [event, [{ hooks: [entryFor(event)] }]]))
}

function entryFor(event: EventKind): JsonObject {
  const { hostMs, clientMs } = deadlinesOf(event)
  const deadlineMs = Math.min(clientMs, Math.floor(hostMs * 0.8))
  const words = shellCommand(hookArguments('goose', event, undefined, deadlineMs))
  const line = `"\${PLUGIN_ROOT}/${AGENT_PLUGIN_LAUNCHER}" --data "\${PLUGIN_ROOT}" ${words}`
  return { type: 'command', command: answeringLine(line, event), timeout: hostMs / 1_000 }
}

function json(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
