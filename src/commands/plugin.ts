import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { FoundPlugin, InstalledEntry } from '../hosts/installer.ts'
import { writeWhole } from '../system/files.ts'
import type { Home } from '../system/home.ts'
import { type Probed, probe } from '../system/probe.ts'
import { type Agent, places, pluginOf, readIfThere } from '../tools/status/agents.ts'
import type { Caller } from './caller.ts'
import type { ExaminedPlugin } from './examination.ts'

/** What `init`, `doctor` and `uninstall` do about the Holdpoint plugin of an agent. */

/**
 * Writes down where Holdpoint is installed for the plugin, whose script trusts no environment variable. True
 * if there is a plugin.
 */
export function pointPlugin(caller: Caller, agent: Agent, project: string, home: Home): boolean {
  const plugin = pluginOf(agent, places(project, caller.env))
  for (const pointer of plugin?.pointers ?? []) {
    mkdirSync(dirname(pointer), { recursive: true })
    writeWhole(pointer, `${home.folder}\n`, 0o600)
  }
  return plugin !== undefined
}

/** The message for when Holdpoint is removed and the plugin is not: then the plugin blocks every call. */
export function leftPlugin(caller: Caller, agent: Agent, project: string): string {
  const plugin = pluginOf(agent, places(project, caller.env))
  for (const pointer of plugin?.pointers ?? []) rmSync(pointer, { force: true })
  if (plugin?.enabled !== true) return ''
  const { host, plugin: support } = agent.installer
  return `${host}: the plugin ${plugin.id} is still enabled. Without Holdpoint it blocks every call.
  Run \`${support?.removal(plugin.id)}\`, or \`npx holdpoint init --renew\` to keep using it.\n`
}

export async function examinePlugin(
  caller: Caller,
  agent: Agent,
  home: Home,
  project: string,
  hasSettings: boolean,
): Promise<ExaminedPlugin | undefined> {
  const plugin = pluginOf(agent, places(project, caller.env))
  if (plugin === undefined) return undefined
  const { id, version, enabled, root } = plugin
  const probed = enabled ? await probePlugin(caller, plugin, project, home) : []
  const wrong = enabled ? [...elsewhere(plugin, home), ...notLive(agent, id, probed)] : []
  return { id, version, enabled, root, probed, wrong, says: pluginLines(plugin, hasSettings) }
}

/** Two copies of Holdpoint would decide each call, with different configurations. */
function elsewhere({ pointers: [pointer = ''] }: FoundPlugin, home: Home): readonly string[] {
  const noted = readIfThere(pointer)?.trim()
  if (noted === undefined || noted === home.folder) return []
  return [
    `plugin: it starts the Holdpoint in ${noted}, not this one in ${home.folder}. Run \`holdpoint init\`.`,
  ]
}

function notLive({ installer }: Agent, id: string, probed: readonly Probed[]): readonly string[] {
  const missing = installer.events.filter((event) => !probed.some((each) => each.event === event))
  const dead = probed.filter(({ live }) => !live)
  return [
    ...missing.map((event) => `plugin: no hook for ${event}. Run \`claude plugin update ${id}\`.`),
    ...dead.map(({ event, why }) => `plugin: the hook for ${event} does not work: ${why}`),
  ]
}

/**
 * Runs each entry as the agent would, without the option that makes the plugin leave a call to the hooks of a
 * settings file: here the plugin must answer itself.
 */
async function probePlugin(
  caller: Caller,
  plugin: FoundPlugin,
  project: string,
  home: Home,
): Promise<readonly Probed[]> {
  const probed: Probed[] = []
  const env = { ...caller.env, CLAUDE_PROJECT_DIR: project }
  for (const entry of plugin.entries) probed.push(await probe(alone(entry), project, home, env))
  return probed
}

function alone(entry: InstalledEntry): InstalledEntry {
  const args = entry.args?.filter((word, at, all) => word !== '--via' && all[at - 1] !== '--via')
  return { ...entry, args }
}

/** What it means that the plugin is installed. */
function pluginLines(plugin: FoundPlugin, hasSettings: boolean): readonly string[] {
  const { id, version, enabled, decidedIn } = plugin
  if (!enabled) {
    const where =
      decidedIn === undefined ? 'is installed, but not enabled' : `is switched off in ${decidedIn}`
    return [`${id} ${version} ${where}: its hooks do not run here.`]
  }
  return hasSettings
    ? [
        `${id} ${version} is enabled too. Each call is decided once: by the hooks in the settings file or, where those do not run, by the plugin.`,
      ]
    : [
        `${id} ${version} is enabled and guards this agent. A repository that you trust can disable it. To prevent that, run \`holdpoint init\`: it adds hooks to your settings.`,
      ]
}
