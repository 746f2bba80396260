import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { HoldpointError } from '../errors.ts'
import type { Installer, InstallPlaces, Scope } from '../hosts/installer.ts'
import { INSTALLERS } from '../hosts/installers.ts'
import { type AgentProgram, findAgent } from '../world/agent-program.ts'

/** An agent Holdpoint can install itself into, and what is known of it on this machine. */
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

/** The agents asked for by name; a name nobody knows is an error that lists the ones there are. */
export function chosenAgents(agents: readonly Agent[], names: readonly string[]): readonly Agent[] {
  return names.map((name) => {
    const agent = agents.find(({ installer }) => installer.host === name)
    if (agent !== undefined) return agent
    const known = agents.map(({ installer }) => installer.host).join(', ')
    throw new HoldpointError({
      code: 'HOST_UNKNOWN',
      message: `There is no host "${name}". Hosts: ${known}.`,
    })
  })
}

export function places(project: string): InstallPlaces {
  return { project, home: process.env.HOME || homedir(), env: process.env }
}

/** Inside a repository an install is for this checkout alone, unless somebody says otherwise. */
export function defaultScope(project: string): Scope {
  return existsSync(`${project}/.git`) ? 'local' : 'user'
}

/** The file of a scope, and the scope that really holds: an agent without local files gets its user file. */
export function fileFor(
  installer: Installer,
  scope: Scope,
  where: InstallPlaces,
): { file: string; scope: Scope } {
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
