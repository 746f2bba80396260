import type { Result } from '../core/errors.ts'
import type { EventKind } from '../core/event.ts'
import type { InstallPlaces } from '../core/host.ts'
import type { JsonObject } from '../core/json.ts'

/**
 * Adds Holdpoint's entries to an agent's own configuration, and removes them. Pure: text in, text out. Every other byte
 * stays as it is: comments, tabs, key order, escapes. Separate from `Host`, because the hook's own bundle must not
 * contain it.
 */
export interface Installer {
  readonly host: string
  /** The events that are always registered, so that policies can change without a new install. */
  readonly events: readonly EventKind[]
  /** Nobody has seen this agent obey our hooks: installed only if the user asks for that. */
  readonly notProved?: true
  /** The user's folder of skills, absolute. Missing: `.agents/skills` in the home, which most agents read. */
  skillsFolder?(where: InstallPlaces): string
  /** The variable that moves the agent's own folder. Missing: none is known. */
  readonly folderVariable?: string
  /** The program's name on PATH, to find out whether and in which version it is here. */
  readonly program: string
  /** The first version with HTTP hooks that blocks a call without an answer. Missing: it always starts a program. */
  readonly httpSince?: string
  /** The file of a scope, absolute. Undefined: this agent has no such scope. */
  file(scope: InstallScope, where: InstallPlaces): string | undefined
  /** The file of an administrator that no other settings can switch off, by platform; missing: it has none. */
  readonly managedFile?: Readonly<Record<string, string>>
  /** Our entries in the file's text, once, whatever was there. `text` undefined: there is no file yet. */
  install(text: string | undefined, options: InstallOptions): Result<string>
  /** The text without our entries; undefined when nothing but ours was in it. */
  uninstall(text: string): Result<string | undefined>
  /** More files that are ours alone, by absolute path. Written before the entries, and removed after them. */
  ownFiles?(where: InstallPlaces, options: InstallOptions): Readonly<Record<string, string>>
  /** Whether the text of one of those files was written by some version of Holdpoint. */
  isOwnFile?(text: string): boolean
  /** Our entries in the text, one for each registered event, as the host would start them. */
  entries(text: string): Result<readonly InstalledEntry[]>
  /** What in this text disables or weakens hooks, in plain words. */
  warnings(text: string): readonly string[]
  /** What in this text keeps every hook in it from being started, in plain words. */
  stops?(text: string): readonly string[]
  /** Files and folders, ours or not, that decide whether this agent starts hooks in this project. */
  governing?(where: InstallPlaces): readonly string[]
  /** What in one of those files (a folder has no text) keeps our hooks from counting, as the end of a sentence after its name. */
  switchesOff?(text: string, file: string, where: InstallPlaces): string | undefined
  /** The same for entries that ask over HTTP, wherever those stand. */
  httpWarnings?(text: string): readonly string[]
  /** What outside our files prevents this agent from running hooks here, in plain words. */
  switches?(look: SwitchQuery): readonly string[]
  /** Entries this agent would skip because they are not trusted, in plain words, if it has such a check. */
  trustWarnings?(question: TrustQuery): readonly string[]
  /** Other agents that start the hooks in this agent's files. */
  readonly importers?: readonly Importer[]
  /** An event as this agent sends it, in this session, to try an entry with. Missing: as Claude Code sends it. */
  probe?(event: string, session: string): JsonObject
  /** Our plugin for this agent, where there is one. */
  readonly plugin?: PluginSupport
  /** The same as a package of npm, where users install plugins by name. */
  readonly package?: PluginPackage
}

export interface PluginPackage {
  /** The program after `settings`. */
  readonly body: string
  /** What the agent reads in `package.json`. */
  readonly manifest: JsonObject
  /** More files, by name. */
  readonly files?: Readonly<Record<string, string>>
  /** How a user installs the package of this name. */
  command(name: string): string
}

/** An agent that reads the hook configuration of another one. */
export interface Importer {
  /** The program's name on PATH. */
  readonly program: string
  readonly title: string
  /** It was seen to obey our answers there. */
  readonly isProved: boolean
}

export interface PluginSupport {
  /** The file of hooks in the plugin. */
  hooks(): JsonObject
  /** What follows `command: ` in the head of a skill of the plugin, for a hook that brings a pack. */
  skillHook(event: EventKind, pack: string): string
  /** What is known of the plugin on this machine; undefined: it is not installed for this project. */
  find(look: SwitchQuery): FoundPlugin | undefined
  /** The commands that a user types to remove it. */
  removal(id: string): string
}

/** Our plugin, as the agent has it. */
export interface FoundPlugin {
  /** The agent's name for it. */
  readonly id: string
  readonly version: string
  /** Where the agent runs it from. */
  readonly root: string
  /** Its files of notes, in which `init` says where Holdpoint is. */
  readonly pointers: readonly string[]
  /** False: its hooks do not run here. */
  readonly enabled: boolean
  /** The settings that say whether it is enabled. */
  readonly decidedIn: string | undefined
  /** As the agent would start them. */
  readonly entries: readonly InstalledEntry[]
}

export interface SwitchQuery {
  readonly where: InstallPlaces
  /** The text of a file, or undefined when it is not there. */
  read(path: string): string | undefined
}

export interface TrustQuery extends SwitchQuery {
  readonly file: string
  readonly text: string
  sha256(text: string): string
}

export type InstallScope = 'user' | 'local' | 'project'
export const SCOPES: readonly InstallScope[] = ['user', 'local', 'project']

export interface InstallOptions {
  /** The program to start, absolute. Started without arguments it must exit 2: an agent too old to know `args` does that. */
  readonly command: string
  /** The Holdpoint home, absolute; written as `--home` so that the caller's environment cannot move it. */
  readonly home: string
  /** The agent's version as it reports it; undefined when the program is not here. */
  readonly version: string | undefined
  /** For a committed file: the entry starts the project's own launcher and contains no path of this machine. */
  readonly portable?: boolean
  /** Ask the daemon over HTTP wherever this agent can, and start the program only where it begins a turn. */
  readonly http?: HttpAddress
  /** How long a question may wait for a person: the agent must wait longer. */
  readonly askWaitMs?: number
}

/** The daemon's HTTP address, as an entry names it. */
export interface HttpAddress {
  readonly port: number
  /** Sent in a header, never in the address: agents show addresses to the model. */
  readonly secret: string
  /** Makes the address unique: of two equal ones an agent may drop ours. */
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
  /** What the agent calls the event, where it has a name of its own. */
  readonly ownName?: string
  readonly command: string
  readonly args: readonly string[] | undefined
  readonly shell: boolean
  readonly timeoutMs: number | undefined
  readonly failsClosed: boolean
  readonly headers?: Readonly<Record<string, string>>
}
