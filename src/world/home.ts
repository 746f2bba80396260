import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where the user's files live. `--home` or HOLDPOINT_HOME moves all of them to one folder. */
export interface Home {
  readonly userConfig: string
  readonly managedConfig: string
  readonly state: string
  readonly journal: string
  readonly cache: string
  readonly trust: string
}

/**
 * The caller's environment is hostile data: an entry installed with `--home` must pass it here, and then no
 * variable is looked at.
 */
export function homeLayout(
  home: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Home {
  const moved = home ?? (env.HOLDPOINT_HOME || undefined)
  const managedConfig = join(SYSTEM_CONFIG[process.platform] ?? '/etc', 'holdpoint', 'config.yaml')
  if (moved !== undefined) {
    return {
      userConfig: join(moved, 'config.yaml'),
      managedConfig,
      state: join(moved, 'state'),
      journal: join(moved, 'journal'),
      cache: join(moved, 'cache'),
      trust: join(moved, 'trust.json'),
    }
  }
  const config = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'holdpoint')
  const state = join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'holdpoint')
  return {
    userConfig: join(config, 'config.yaml'),
    managedConfig,
    state: join(state, 'state'),
    journal: join(state, 'journal'),
    cache: join(state, 'cache'),
    trust: join(config, 'trust.json'),
  }
}

const SYSTEM_CONFIG: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support',
  win32: 'C:\\ProgramData',
}
