import { deadlinesOf } from '../core/deadlines.ts'
import type { EventKind } from '../core/event.ts'
import type { InstallPlaces } from '../core/host.ts'
import type { JsonObject } from '../core/json.ts'
import { type Dialect, nameOfKind } from './dialect.ts'
import { answeringLine, hookArguments, type OldestVersion, shellCommand } from './hook-entry.ts'
import type { InstalledEntry, Installer, InstallOptions, InstallScope } from './installer.ts'

/** How the entries of a dialect get into its agent's configuration. */
export interface DialectInstall {
  readonly dialect: Dialect
  /** The program's name on PATH. */
  readonly program: string
  readonly events: readonly EventKind[]
  readonly oldest: OldestVersion
  /** The user's file: the only one that the agent reads without a person's trust in the folder. */
  file(where: InstallPlaces): string
  skillsFolder?: Installer['skillsFolder']
  /** The most this agent waits, where it is less than we would ask for. */
  readonly waitsAtMostMs?: Readonly<Partial<Record<EventKind, number>>>
}

/** What an entry says: the line for the shell, and how long the agent waits for it. */
export interface EntryText {
  readonly line: string
  /** The same without a fallback in shell words, for an agent that blocks by itself when the program fails. */
  readonly bareLine: string
  readonly timeoutMs: number
}

export function entryText(install: DialectInstall, event: EventKind, options: InstallOptions): EntryText {
  const { deadlineMs, timeoutMs } = waitsOf(install, event)
  const words = [options.command, ...hookArguments(install.dialect.id, event, options.home, deadlineMs)]
  const bareLine = shellCommand(words)
  return { line: answeringLine(bareLine, event), bareLine, timeoutMs }
}

/** How long the agent waits, and how long the hook does. */
export function waitsOf(
  { waitsAtMostMs }: DialectInstall,
  event: EventKind,
): { readonly deadlineMs: number; readonly timeoutMs: number } {
  const { hostMs, clientMs } = deadlinesOf(event)
  const timeoutMs = Math.min(hostMs, waitsAtMostMs?.[event] ?? hostMs)
  return { timeoutMs, deadlineMs: Math.min(clientMs, Math.floor(timeoutMs * 0.8)) }
}

export function userFileOnly(
  install: DialectInstall,
): (scope: InstallScope, where: InstallPlaces) => string | undefined {
  return (scope, where) => (scope === 'user' ? install.file(where) : undefined)
}

/** The agent's own name of an event that is registered. */
export function ownName({ dialect }: DialectInstall, event: EventKind): string {
  return nameOfKind(dialect, event) ?? event
}

/** An installer is as proved as its dialect. */
export function provedBy({ notProved }: Dialect): Pick<Installer, 'notProved'> {
  return notProved === undefined ? {} : { notProved }
}

/** Our word for the event of an entry, whatever the agent calls it. */
export function inOurWords({ dialect }: DialectInstall, entry: InstalledEntry): InstalledEntry {
  const kind = Object.hasOwn(dialect.events, entry.event) ? dialect.events[entry.event]?.kind : undefined
  return kind === undefined ? entry : { ...entry, event: kind, ownName: entry.event }
}

/** A harmless event as the agent would send it: a session of its own, and a tool nobody has. */
export function probePayload(dialect: Dialect, event: string, session: string): JsonObject {
  const own = new Map(Object.entries(dialect.keys ?? {}).map(([theirs, ours]) => [ours, theirs]))
  const told = {
    session_id: session,
    cwd: '/',
    tool_name: 'HoldpointProbe',
    tool_input: {},
    prompt: 'holdpoint probe',
    source: 'probe',
    stop_hook_active: false,
  }
  const named =
    dialect.eventKey === undefined ? {} : { [dialect.eventKey]: nameOfKind(dialect, event) ?? event }
  const pairs = Object.entries(told).map(([key, value]) => [own.get(key) ?? key, value] as const)
  return { ...named, ...Object.fromEntries(pairs) }
}
