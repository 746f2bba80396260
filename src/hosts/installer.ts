import type { Result } from '../errors.ts'
import type { EventKind } from '../event.ts'

/**
 * How Holdpoint's entries get into an agent's own configuration, and out again. Pure: text in, text out. Every byte
 * an installer does not own stays as it is: comments, tabs, key order, escapes. Kept apart from `Host`, because the
 * hook's own bundle must not carry it.
 */
export interface Installer {
  readonly host: string
  /** The events that are always registered, so that policies can change without a new install. */
  readonly events: readonly EventKind[]
  /** The program's name on PATH, to find out whether and in which version it is here. */
  readonly program: string
  /** The first version that can ask over HTTP and stops a call nobody answered; missing: it always starts a program. */
  readonly httpSince?: string
  /** The file of a scope, absolute. Undefined: this agent has no such scope. */
  file(scope: Scope, where: InstallPlaces): string | undefined
  /** Our entries in the file's text, once, whatever was there. `text` undefined: there is no file yet. */
  install(text: string | undefined, options: InstallOptions): Result<string>
  /** The text without our entries; undefined when nothing but ours was in it. */
  uninstall(text: string): Result<string | undefined>
  /** Our entries in the text, one for each registered event, as the host would start them. */
  entries(text: string): Result<readonly InstalledEntry[]>
  /** What in this text switches hooks off or makes them weak, in plain words. */
  warnings(text: string): readonly string[]
  /** The same for entries that ask over HTTP, wherever those stand. */
  httpWarnings?(text: string): readonly string[]
  /** What outside our files keeps this agent from running hooks here, in plain words. */
  switches?(look: SwitchLook): readonly string[]
  /** Entries this agent would skip because nobody has trusted them, in plain words, where it has such a notion. */
  trustWarnings?(question: TrustLook): readonly string[]
}

export interface SwitchLook {
  readonly where: InstallPlaces
  /** The text of a file, or undefined when it is not there. */
  read(path: string): string | undefined
}

export interface TrustLook extends SwitchLook {
  readonly file: string
  readonly text: string
  sha256(text: string): string
}

export type Scope = 'user' | 'local' | 'project'
export const SCOPES: readonly Scope[] = ['user', 'local', 'project']

export interface InstallPlaces {
  readonly project: string
  /** The user's home folder. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface InstallOptions {
  /** The program to start, absolute. Started without arguments it must exit 2: an agent too old to know `args` does that. */
  readonly command: string
  /** The Holdpoint home, absolute; written as `--home` so that the caller's environment cannot move it. */
  readonly home: string
  /** The agent's version as it reports it; undefined when the program is not here. */
  readonly version: string | undefined
  /** For a file that is committed: the entry starts the project's own launcher and names nothing of this machine. */
  readonly portable?: boolean
  /** Ask the daemon over HTTP wherever this agent can, and start the program only where it begins a turn. */
  readonly http?: HttpAddress
}

/** The daemon's HTTP door, as an entry names it. */
export interface HttpAddress {
  readonly port: number
  /** Goes into a header, never into the address: agents show addresses to the model. */
  readonly secret: string
  /** Makes the address one that no stranger's entry can have: of two equal ones an agent may drop ours. */
  readonly mark: string
}

/** Where a project keeps its launcher, from its root. */
export const PROJECT_LAUNCHER = '.holdpoint/bin/holdpoint-hook'

/**
 * One registered entry. `shell`: the host runs `command` through a shell; else it starts it with `args`. With
 * `headers` nothing is started: `command` is the address that is asked.
 */
export interface InstalledEntry {
  readonly event: string
  readonly command: string
  readonly args: readonly string[] | undefined
  readonly shell: boolean
  readonly timeoutMs: number | undefined
  readonly failsClosed: boolean
  readonly headers?: Readonly<Record<string, string>>
}
