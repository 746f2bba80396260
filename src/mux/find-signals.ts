import { readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { bad, good, type Result } from '../errors.ts'
import { agentFolder, inProject, type Place, SIGNAL_FOLDERS, shownPath } from './place.ts'
import { readFile } from './read-file.ts'
import { readSignal, type Signal } from './signal-format.ts'

/** The signals of a session, and everything about them that a person should hear of. */
export interface Signals {
  /** Absolute. */
  readonly session: string
  readonly signals: readonly FoundSignal[]
  readonly complaints: readonly string[]
}

export interface FoundSignal extends Signal {
  /** The file's name without its end: what the agent called it. */
  readonly name: string
  /** From the root of the project. */
  readonly file: string
}

/** What a session can hold before its folder is something else. */
const ENTRIES_MAX = 5_000
const DEPTH_MAX = 6
export const SIGNAL_MAX_BYTES = 64 * 1024

export function findSignals(text: string, place: Place): Result<Signals> {
  const session = sessionFolder(text, place)
  if (!session.ok) return session
  const complaints: string[] = []
  const found: FoundSignal[] = []
  for (const path of signalFiles(session.value, complaints)) {
    const file = shownPath(path, place)
    // A signal is short; what lies behind these bytes is no part of one.
    const read = readSignal(readFile(path, SIGNAL_MAX_BYTES)?.text ?? '')
    if (!read.ok) {
      complaints.push(`${file} counts for nothing: ${read.why}.`)
      continue
    }
    complaints.push(...read.complaints.map((complaint) => `${file}: ${complaint}.`))
    if (!isInSignals(path, session.value)) complaints.push(`${file} lies outside of .signals.`)
    const status = path.endsWith('.fail') ? 'fail' : read.signal.status
    if (status !== read.signal.status)
      complaints.push(`${file} says success in a file of failures: it failed.`)
    if (path.endsWith('.done') && status === 'fail')
      complaints.push(`${file} says fail in a file of successes: it failed.`)
    found.push({ ...read.signal, status, file, name: basename(path).replace(/\.(?:done|fail)$/, '') })
  }
  return good({ session: session.value, signals: latest(found), complaints })
}

/** A session is a folder that is there. */
export function sessionFolder(text: string, place: Place): Result<string> {
  const path = inProject(text, place)
  if (!path.ok) return path
  const found = statSync(path.value, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return path
  return bad('STATE_UNREADABLE', `There is no session folder ${text}.`, {
    fix: 'Give the folder that `holdpoint mux session` printed, from the root of the project.',
  })
}

function signalFiles(session: string, complaints: string[]): readonly string[] {
  const files: string[] = []
  const folders: { path: string; depth: number }[] = [{ path: session, depth: 0 }]
  let seen = 0
  for (const { path, depth } of folders) {
    for (const entry of entriesOf(path)) {
      seen += 1
      if (seen > ENTRIES_MAX) {
        complaints.push(`The session has more than ${ENTRIES_MAX} files: the rest was not looked at.`)
        return files
      }
      const below = join(path, entry.name)
      // Links are not followed: they may lead out, or round and round.
      if (entry.isFile() && /.\.(?:done|fail)$/.test(entry.name)) files.push(below)
      if (entry.isDirectory() && depth < DEPTH_MAX && below !== agentFolder(session)) {
        folders.push({ path: below, depth: depth + 1 })
      }
    }
  }
  return files
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // It vanished meanwhile.
    return []
  }
}

function isInSignals(path: string, session: string): boolean {
  return relative(session, path)
    .split('/')
    .slice(0, -1)
    .some((folder) => SIGNAL_FOLDERS.includes(folder))
}

/** An agent that failed and then succeeded, or the reverse, has ended once: as it said last. */
function latest(found: readonly FoundSignal[]): readonly FoundSignal[] {
  const byName = new Map<string, FoundSignal>()
  for (const signal of found) {
    const key = signal.file.replace(/\.(?:done|fail)$/, '')
    const before = byName.get(key)
    const isOlder = before !== undefined && timeOf(signal) < timeOf(before)
    if (!isOlder) byName.set(key, signal)
  }
  return [...byName.values()]
}

function timeOf({ createdAt }: Signal): number {
  const time = Date.parse(createdAt ?? '')
  return Number.isNaN(time) ? 0 : time
}
