import { userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

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
  /** Starts Node on one of the built programs, for the native client. */
  readonly nodeProgram: string
  /** Where entries were installed, so that they can be watched and taken out. */
  readonly installs: string
  /** Where programs were found when Holdpoint was installed. */
  readonly path: string
  /** The daemon's folder: its socket and what it says of itself. */
  readonly run: string
  /** The port and the secret of the daemon's HTTP door; missing when nobody asked for one. */
  readonly http: string
  /** The user's own home folder, where other programs keep what is theirs. */
  readonly user: string
}

/**
 * The caller's environment is hostile data: an entry installed with `--home` must pass it here, and then no
 * variable is looked at.
 */
export function homeLayout(home: string | undefined, env: Environment): Home {
  const folder = absolute(home || env.HOLDPOINT_HOME || defaultFolder(env), env)
  return {
    folder,
    userConfig: join(folder, 'config.yaml'),
    managedConfig: join(SYSTEM_CONFIG[process.platform] ?? '/etc', 'holdpoint', 'config.yaml'),
    state: join(folder, 'state'),
    journal: join(folder, 'journal'),
    cache: join(folder, 'cache'),
    trust: join(folder, 'trust.json'),
    hookProgram: join(folder, 'bin', 'holdpoint-hook'),
    nodeProgram: join(folder, 'bin', 'holdpoint-node'),
    installs: join(folder, 'installs.json'),
    path: join(folder, 'path'),
    run: join(folder, 'run'),
    http: join(folder, 'http.json'),
    user: ownHome(env),
  }
}

/** What the hooks of a pack write down line by line. */
export function logsFolder({ state }: Pick<Home, 'state'>): string {
  return join(state, 'logs')
}

const SYSTEM_CONFIG: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support',
  win32: 'C:\\ProgramData',
}

function defaultFolder(env: Environment): string {
  const xdg = env.XDG_CONFIG_HOME
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(ownHome(env), '.config'), 'holdpoint')
}

/** A relative folder would be another one for every folder the agent works in. */
function absolute(folder: string, env: Environment): string {
  return isAbsolute(folder) ? folder : resolve(ownHome(env), folder)
}

/** HOME is the caller's to set, also to nothing; then the system's own word counts. */
function ownHome({ HOME }: Environment): string {
  return HOME !== undefined && isAbsolute(HOME) ? HOME : systemHome()
}

/** The user's home as the system knows it, whatever the environment says. */
export function systemHome(): string {
  knownHome ??= readHome()
  return knownHome
}

let knownHome: string | undefined

function readHome(): string {
  try {
    return userInfo().homedir
  } catch {
    // A user id without a name, as in some containers.
    return '/'
  }
}
