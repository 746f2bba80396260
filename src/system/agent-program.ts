import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

export interface AgentProgram {
  readonly path: string
  /** The version that it reports, such as `2.1.325`; undefined if it reports none. */
  readonly version: string | undefined
}

const VERSION_TIMEOUT_MS = 20_000

/** The agent's program on the PATH of this environment and its version, or undefined if it is not installed. */
export async function findAgent(name: string, env: Environment): Promise<AgentProgram | undefined> {
  const found = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram)
  return found === undefined ? undefined : { path: found, version: await versionOf(found, env) }
}

function isProgram(path: string): boolean {
  try {
    // Asked for every agent in every folder, nearly always in vain: an error for each would cost more than the look.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function versionOf(program: string, env: Environment): Promise<string | undefined> {
  const options = { timeout: VERSION_TIMEOUT_MS, encoding: 'utf8', env } as const
  return new Promise((resolve) => {
    execFile(program, ['--version'], options, (_error, stdout) => {
      resolve(/\d+\.\d+\.\d+/.exec(stdout)?.[0])
    })
  })
}
