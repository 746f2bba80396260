import { readFileSync } from 'node:fs'
import { HoldpointError } from '../../core/errors.ts'
import type { InstallPlaces } from '../../core/host.ts'
import type { FoundPlugin, Installer, InstallScope } from '../../hosts/installer.ts'
import { INSTALLERS } from '../../hosts/installers.ts'
import { type AgentProgram, findAgent } from '../../system/agent-program.ts'
import { userHome } from '../../system/home.ts'

/** An agent that Holdpoint can write hooks for, and its program on this machine. */
export interface Agent {
  readonly installer: Installer
  readonly program: AgentProgram | undefined
}

/** `env` is that of the person: where programs are, and what they are started with to name their version. */
export async function knownAgents(env: InstallPlaces['env']): Promise<readonly Agent[]> {
  const members = await Promise.all(Object.values(INSTALLERS).map((load) => load()))
  return Promise.all(
    members.map(async ({ installer }) => ({
      installer,
      program: await findAgent(installer.program, env),
    })),
  )
}

/** The agents with these names. An unknown name is an error that lists the known ones. */
export function chosenAgents(agents: readonly Agent[], names: readonly string[]): readonly Agent[] {
  return names.map((name) => {
    const agent = agents.find(({ installer }) => installer.host === name)
    if (agent !== undefined) return agent
    const known = agents.map(({ installer }) => installer.host).join(', ')
    throw new HoldpointError({
      code: 'HOST_UNKNOWN',
      message: `Unknown host "${name}". Hosts: ${known}.`,
    })
  })
}

/** `folder`: where the agent would be started. */
export function places(project: string, env: InstallPlaces['env'], folder = project): InstallPlaces {
  return { project, folder, home: userHome(env), env }
}

/**
 * The settings file for a scope. An agent without project or local files gets its user file, and `scope` says
 * so.
 */
export function fileFor(
  installer: Installer,
  scope: InstallScope,
  where: InstallPlaces,
): { file: string; scope: InstallScope } {
  for (const each of [scope, 'user'] as const) {
    const file = installer.file(each, where)
    if (file !== undefined) return { file, scope: each }
  }
  throw new HoldpointError({ code: 'INTERNAL', message: `${installer.host} has no configuration file.` })
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

export function pluginOf({ installer }: Agent, where: InstallPlaces): FoundPlugin | undefined {
  return installer.plugin?.find({ where, read: readIfThere })
}
