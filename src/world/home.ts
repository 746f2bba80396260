import { homedir, userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** Where the user's files live: one folder, which `--home` or HOLDPOINT_HOME moves. */
export interface Home {
  readonly folder: string
  readonly userConfig: string
  readonly managedConfig: string
  readonly state: string
  readonly journal: string
  readonly cache: string
  readonly trust: string
  /** The program agents start. */
  readonly hookProgram: string
  /** Where entries were installed, so that they can be watched and taken out. */
  readonly installs: string
}

/**
 * The caller's environment is hostile data: an entry installed with `--home` must pass it here, and then no
 * variable is looked at.
 */
export function homeLayout(
  home: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Home {
  const folder = absolute(home || env.HOLDPOINT_HOME || defaultFolder(env))
  return {
    folder,
    userConfig: join(folder, 'config.yaml'),
    managedConfig: join(SYSTEM_CONFIG[process.platform] ?? '/etc', 'holdpoint', 'config.yaml'),
    state: join(folder, 'state'),
    journal: join(folder, 'journal'),
    cache: join(folder, 'cache'),
    trust: join(folder, 'trust.json'),
    hookProgram: join(folder, 'bin', 'holdpoint-hook'),
    installs: join(folder, 'installs.json'),
  }
}

const SYSTEM_CONFIG: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support',
  win32: 'C:\\ProgramData',
}

function defaultFolder(env: Readonly<Record<string, string | undefined>>): string {
  const xdg = env.XDG_CONFIG_HOME
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(ownHome(), '.config'), 'holdpoint')
}

/** A relative folder would be another one for every folder the agent works in. */
function absolute(folder: string): string {
  return isAbsolute(folder) ? folder : resolve(ownHome(), folder)
}

/** HOME is the caller's to set, also to nothing; then the system's own word counts. */
function ownHome(): string {
  const home = homedir()
  return isAbsolute(home) ? home : userInfo().homedir
}
