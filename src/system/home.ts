import { isAbsolute, join, resolve } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Where the user's files are: one folder, which `--home` or HOLDPOINT_HOME changes. */
export interface Home {
  readonly folder: string
  readonly userConfig: string
  readonly managedConfig: string
  readonly state: string
  /** Logs that the hooks of a pack write line by line. */
  readonly logs: string
  readonly journal: string
  readonly cache: string
  readonly trust: string
  /** The program that agents start. */
  readonly hookProgram: string
  /** Starts Node on one of the built programs, for the native client. */
  readonly nodeProgram: string
  /** The command line of the installed copy, for users and agents without `holdpoint` on PATH. */
  readonly command: string
  /** Copies of the built programs, one folder for each build; `current` is the one in use. */
  readonly runtime: string
  /** The files in which hooks were installed, so that they can be checked and removed. */
  readonly installs: string
  /** The folders in which programs were found when Holdpoint was installed. */
  readonly path: string
  /** The daemon's folder: its socket and its status files. */
  readonly run: string
  /** The port and the secret of the daemon's HTTP server; missing if HTTP is not used. */
  readonly http: string
  /** The calls that hooks of a settings file are answering; only exists if the plugin is installed. */
  readonly answering: string
  /** One file for each probe that `init` or `doctor` is running now. */
  readonly probes: string
  /** The user's own home folder, where other programs keep their files. */
  readonly user: string
}

/**
 * The caller's environment is untrusted: a hook that was installed with `--home` passes it here, and then no
 * variable is read.
 */
export function homeLayout(
  home: string | undefined,
  env: Environment,
  managedConfig = join(SYSTEM_CONFIG[process.platform] ?? '/etc', 'holdpoint', 'config.yaml'),
): Home {
  const folder = absolute(home || env.HOLDPOINT_HOME || defaultFolder(env), env)
  return {
    folder,
    userConfig: join(folder, 'config.yaml'),
    managedConfig,
    state: join(folder, 'state'),
    logs: join(folder, 'state', 'logs'),
    journal: join(folder, 'journal'),
    cache: join(folder, 'cache'),
    trust: join(folder, 'trust.json'),
    hookProgram: join(folder, 'bin', 'holdpoint-hook'),
    nodeProgram: join(folder, 'bin', 'holdpoint-node'),
    command: join(folder, 'bin', 'holdpoint'),
    runtime: join(folder, 'runtime'),
    installs: join(folder, 'installs.json'),
    path: join(folder, 'path'),
    run: join(folder, 'run'),
    http: join(folder, 'http.json'),
    answering: join(folder, 'answering'),
    probes: join(folder, 'probes'),
    user: ownHome(env),
  }
}

const SYSTEM_CONFIG: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support',
  win32: 'C:\\ProgramData',
}

function defaultFolder(env: Environment): string {
  const xdg = env.XDG_CONFIG_HOME
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(ownHome(env), '.config'), 'holdpoint')
}

/** A relative folder would change with the working directory of the agent. */
function absolute(folder: string, env: Environment): string {
  return isAbsolute(folder) ? folder : resolve(ownHome(env), folder)
}

/** The caller can set HOME, even to an empty value; then the value of the system counts. */
function ownHome({ HOME }: Environment): string {
  return HOME !== undefined && isAbsolute(HOME) ? HOME : systemHome()
}

/** The user's home as Node.js and other programs find it: they believe the environment. */
export function userHome({ HOME }: Environment): string {
  return HOME ?? systemHome()
}

/** The user's home according to the system, whatever the environment says. */
export function systemHome(): string {
  knownHome ??= readHome()
  return knownHome
}

let knownHome: string | undefined

function readHome(): string {
  try {
    // Loaded only where it is needed: most callers have a home.
    return process.getBuiltinModule('node:os').userInfo().homedir
  } catch {
    // A user id without a name, as in some containers.
    return '/'
  }
}
