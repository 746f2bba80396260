import { readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { bad, good, type Result } from '../../core/errors.ts'
import { readSignal, type Signal } from '../../policy/mux/signal-format.ts'
import { folderOfAgent, resolveInProject, SIGNAL_FOLDERS, shownPath, type Workspace } from './place.ts'
import { readFile } from './read-file.ts'

/** The signals of a session, and all problems with them that the user should know. */
export interface Signals {
  /** Absolute. */
  readonly session: string
  readonly signals: readonly FoundSignal[]
  readonly complaints: readonly string[]
}

export interface FoundSignal extends Signal {
  /** The name of the file without its extension, as the agent chose it. */
  readonly name: string
  /** From the root of the project. */
  readonly file: string
}

/** More files than this are not a session folder. */
const ENTRIES_MAX = 5_000
const DEPTH_MAX = 6
export const SIGNAL_MAX_BYTES = 64 * 1024

export function findSignals(text: string, place: Workspace): Result<Signals> {
  const session = sessionFolder(text, place)
  if (!session.ok) return session
  const complaints: string[] = []
  const found: FoundSignal[] = []
  for (const path of signalFiles(session.value, complaints)) {
    const file = shownPath(path, place)
    // A signal is short; anything after these bytes is ignored.
    const read = readSignal(readFile(path, SIGNAL_MAX_BYTES)?.text ?? '')
    if (!read.ok) {
      complaints.push(`${file} is ignored: ${read.why}.`)
      continue
    }
    complaints.push(...read.complaints.map((complaint) => `${file}: ${complaint}.`))
    if (!isInSignals(path, session.value)) complaints.push(`${file} is not in .signals.`)
    const status = path.endsWith('.fail') ? 'fail' : read.signal.status
    if (status !== read.signal.status)
      complaints.push(`${file} says success, but its name says failure: counted as failed.`)
    if (path.endsWith('.done') && status === 'fail')
      complaints.push(`${file} says fail, but its name says success: counted as failed.`)
    found.push({ ...read.signal, status, file, name: basename(path).replace(/\.(?:done|fail)$/, '') })
  }
  return good({ session: session.value, signals: latest(found), complaints })
}

/** A session is an existing folder. */
export function sessionFolder(text: string, place: Workspace): Result<string> {
  const path = resolveInProject(text, place)
  if (!path.ok) return path
  const found = statSync(path.value, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return path
  return bad('STATE_UNREADABLE', `The session folder ${text} does not exist.`, {
    fix: 'Use the folder that `holdpoint mux session` printed, from the root of the project.',
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
        complaints.push(`The session has more than ${ENTRIES_MAX} files; the rest was not read.`)
        return files
      }
      const below = join(path, entry.name)
      // Links are not followed: they may lead out of the folder, or in circles.
      if (entry.isFile() && /.\.(?:done|fail)$/.test(entry.name)) files.push(below)
      if (entry.isDirectory() && depth < DEPTH_MAX && below !== folderOfAgent(session)) {
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
    // It was deleted meanwhile.
    return []
  }
}

function isInSignals(path: string, session: string): boolean {
  return relative(session, path)
    .split('/')
    .slice(0, -1)
    .some((folder) => SIGNAL_FOLDERS.includes(folder))
}

/** If an agent signalled both failure and success, the last signal counts. */
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
