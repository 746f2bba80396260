import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { HoldpointError } from '../../core/errors.ts'
import type { InstallPlaces } from '../../core/host.ts'
import type { FoundPlugin, Installer, InstallScope } from '../../hosts/installer.ts'
import { INSTALLERS } from '../../hosts/installers.ts'
import { type AgentProgram, findAgent } from '../../system/agent-program.ts'

/** An agent that Holdpoint can write hooks for, and its program on this machine. */
export interface Agent {
  readonly installer: Installer
  readonly program: AgentProgram | undefined
}

export async function knownAgents(): Promise<readonly Agent[]> {
  const members = await Promise.all(Object.values(INSTALLERS).map((load) => load()))
  return Promise.all(
    members.map(async ({ installer }) => ({
      installer,
      program: await findAgent(installer.program, process.env.PATH),
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

export function places(project: string): InstallPlaces {
  return { project, home: process.env.HOME || homedir(), env: process.env }
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

export function pluginOf({ installer }: Agent, project: string): FoundPlugin | undefined {
  return installer.plugin?.find({ where: places(project), read: readIfThere })
}
