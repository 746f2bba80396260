import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { ownEntriesOf } from './hook-settings.ts'
import type { Installer } from './installer.ts'

/** One file our entries were written to, as it is now, and what was written there. */
export interface InstallCheck {
  readonly installer: Installer
  /** Undefined: the file is gone. */
  readonly text: string | undefined
  /** The hash of each entry that was written, by event. Undefined: noted by a version that kept none. */
  readonly marks: Readonly<Record<string, string>> | undefined
  /** How many entries were written. */
  readonly entries: number
  /** The program they start; counts where there are no marks. */
  readonly program: string | undefined
  sha256(text: string): string
}

/**
 * What keeps the agent from starting an entry exactly as it was written, as the end of a sentence after the file's
 * name. Undefined: all of them are there, and the agent starts them at every event of their kind.
 */
export function installProblem(check: InstallCheck): string | undefined {
  const { installer, text, marks, entries, program } = check
  if (text === undefined) return 'is gone'
  const [stopped] = installer.stops?.(text) ?? []
  if (stopped !== undefined) return `does not work: ${stopped}`
  const started = installer.entries(text)
  if (!started.ok) return 'cannot be read'
  // Only entries in settings of the common shape have marks.
  if (marks === undefined || Object.keys(marks).length === 0) {
    // A shell line has the program in quotes.
    const foreign = started.value.find(
      ({ command, args, headers }) =>
        program !== undefined &&
        headers === undefined &&
        !(args === undefined ? command.includes(program) : command === program),
    )
    if (foreign !== undefined) return `starts another program at ${foreign.event}`
    return started.value.length < entries ? 'lacks hooks that were installed' : undefined
  }
  const found = entryMarks(text, check.sha256)
  const lost = Object.keys(marks).find(
    (event) =>
      !started.value.some((entry) => (entry.ownName ?? entry.event) === event) ||
      !found.get(event)?.has(marks[event] ?? ''),
  )
  return lost === undefined ? undefined : `no longer has the hook that was installed for ${lost}`
}

/** The hashes of our entries that are started at every event of their kind, by event. */
export function entryMarks(
  text: string,
  sha256: (text: string) => string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const own = ownEntriesOf(text)
  const marks = new Map<string, Set<string>>()
  for (const { event, matcher, value } of own.ok ? own.value : []) {
    if (matcher !== undefined && matcher !== '' && matcher !== '*') continue
    marks.set(event, (marks.get(event) ?? new Set()).add(sha256(inOneOrder(value))))
  }
  return marks
}

/** A program that writes settings anew may put the keys of an entry in another order. */
function inOneOrder(value: JsonObject): string {
  return JSON.stringify(value, (_key, part: Json) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  )
}
