import { execFile } from 'node:child_process'
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isObject, textAt } from '../core/json.ts'

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
  if (found === undefined) return undefined
  return { path: found, version: packagedVersion(found) ?? (await versionOf(found, env)) }
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

/** The installer of Claude Code names each program by its version, and links the newest. */
const BY_INSTALLER = /[\\/]claude[\\/]versions[\\/](\d+\.\d+\.\d+)$/

/**
 * Of a program that npm installed, from its package: most agents take a second to say it themselves. Undefined if this
 * is no file of a package, or not one that the package names as a program. A loader starts the version that it has
 * fetched last, so it is asked.
 */
function packagedVersion(program: string): string | undefined {
  try {
    const file = realpathSync(program)
    const [, installed] = BY_INSTALLER.exec(file) ?? []
    if (installed !== undefined) return installed
    const [, folder = '', own = ''] =
      /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/](.+)$/.exec(file) ?? []
    if (folder === '' || own.includes('loader')) return undefined
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (!isObject(manifest)) return undefined
    const { bin } = manifest
    const programs = isObject(bin) ? Object.values(bin) : [bin]
    const isNamed = programs.some(
      (each) => typeof each === 'string' && join(folder, each) === join(folder, own),
    )
    return isNamed ? /^\d+\.\d+\.\d+$/.exec(textAt(manifest, 'version') ?? '')?.[0] : undefined
  } catch {
    return undefined
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
