import { bad, good, type Result } from '../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import {
  type DialectInstall,
  type EntryText,
  entryText,
  inOurWords,
  ownName,
  probePayload,
  provedBy,
  userFileOnly,
} from './dialect-install.ts'
import { checkOptions, startsHookProgram } from './hook-entry.ts'
import type { InstalledEntry, Installer } from './installer.ts'
import { readJsonText } from './json-text.ts'
import { governedBy, type Switches } from './switched-off.ts'

/**
 * An installer for an agent that reads every file of a folder: one of them is ours alone. So nothing of anybody else
 * is ever changed, and taking our entries out is removing the file.
 */
export interface OwnFile extends DialectInstall {
  /** The file around the entries, by the agent's own names of the events. */
  whole(entries: Readonly<Record<string, EntryText>>): JsonObject
  /** The key of an entry that holds the line, and the key of its timeout with how many milliseconds one of it is. */
  readonly lineKey: string
  readonly timeout: { readonly key: string; readonly unitMs: number }
  /** What keeps its hooks from counting, in other files. */
  readonly switches?: Switches
}

export function ownFileInstaller(own: OwnFile): Installer {
  const { dialect, program, events } = own
  return {
    host: dialect.id,
    program,
    events,
    ...provedBy(dialect),
    file: userFileOnly(own),
    install(text, options) {
      const checked = checkOptions(options, own.oldest)
      if (!checked.ok) return checked
      const before = text === undefined || text.trim() === '' ? good([]) : foreignEntries(text, own)
      if (!before.ok) return before
      if (before.value.length > 0) {
        return bad('CONFIG_VALUE', 'This file is for the hooks of Holdpoint, and it holds others.', {
          fix: 'Move those to a file of another name in the same folder and install again; nothing was changed.',
        })
      }
      const pairs = events.map((event) => [ownName(own, event), entryText(own, event, options)] as const)
      return good(`${JSON.stringify(own.whole(Object.fromEntries(pairs)), null, 2)}\n`)
    },
    uninstall(text) {
      const document = readJson(text)
      if (!document.ok) return document
      if (ownEntries(document.value, own).length === 0) return good(text)
      const left = withoutOwn(document.value, own)
      return good(entriesIn(left, own).length === 0 ? undefined : `${JSON.stringify(left, null, 2)}\n`)
    },
    entries(text) {
      const document = readJson(text)
      if (!document.ok) return document
      return good(ownEntries(document.value, own).map((found) => installed(found, own)))
    },
    warnings(text) {
      const document = readJson(text)
      if (!document.ok || !isObject(document.value)) return []
      return document.value.disableAllHooks === true
        ? ['disableAllHooks switches every hook off. Remove it.']
        : []
    },
    ...(own.switches === undefined ? {} : governedBy(own.switches)),
    probe: (event, session) => probePayload(dialect, event, session),
  }
}

interface FoundEntry {
  readonly event: string
  readonly value: JsonObject
}

function readJson(text: string): Result<Json> {
  const document = readJsonText(text)
  if (!document.ok) return document
  try {
    return good(JSON.parse(text.replace(/^\uFEFF/, '')) as Json)
  } catch {
    return bad('CONFIG_VALUE', 'The file is not strict JSON.', {
      fix: 'Correct or remove it; nothing was changed.',
    })
  }
}

function foreignEntries(text: string, own: OwnFile): Result<readonly FoundEntry[]> {
  const document = readJson(text)
  if (!document.ok) return document
  if (!isObject(document.value)) {
    return bad('CONFIG_VALUE', 'The file must hold an object.', {
      fix: 'Correct or remove it, then install again; nothing was changed.',
    })
  }
  return good(entriesIn(document.value, own).filter((found) => !isOurs(found.value, own)))
}

function ownEntries(document: Json, own: OwnFile): readonly FoundEntry[] {
  return entriesIn(document, own).filter((found) => isOurs(found.value, own))
}

/** Entries stand in the list of an event, or in the `hooks` of a group there. */
function entriesIn(document: Json, own: OwnFile): readonly FoundEntry[] {
  const hooks = isObject(document) && isObject(document.hooks) ? document.hooks : {}
  return Object.entries(hooks).flatMap(([event, list]) =>
    itemsOf(list).flatMap((item) => {
      const inner =
        isObject(item) && own.lineKey in item ? [item] : itemsOf(isObject(item) ? item.hooks : null)
      return inner.filter(isObject).map((value) => ({ event, value }))
    }),
  )
}

function itemsOf(list: Json | undefined): readonly Json[] {
  return Array.isArray(list) ? list : []
}

function isOurs(entry: JsonObject, { lineKey }: OwnFile): boolean {
  const line = entry[lineKey]
  return typeof line === 'string' && startsHookProgram(line, undefined)
}

function withoutOwn(document: Json, own: OwnFile): Json {
  const pruned = (value: Json): Json | undefined => {
    if (Array.isArray(value)) return value.map(pruned).filter((item) => item !== undefined)
    if (!isObject(value)) return value
    if (isOurs(value, own)) return undefined
    const pairs = Object.entries(value).map(([key, item]) => [key, pruned(item)] as const)
    return Object.fromEntries(pairs.filter(([, item]) => item !== undefined)) as JsonObject
  }
  return pruned(document) ?? {}
}

function installed({ event, value }: FoundEntry, own: OwnFile): InstalledEntry {
  const waits = value[own.timeout.key]
  const timeoutMs = typeof waits === 'number' ? waits * own.timeout.unitMs : undefined
  const command = String(value[own.lineKey])
  return inOurWords(own, { event, command, args: undefined, shell: true, timeoutMs, failsClosed: false })
}

/** The entries of a file in the shape that Claude Code has: groups of entries. */
export function groupedEntries(
  entries: Readonly<Record<string, EntryText>>,
  { key, unitMs }: OwnFile['timeout'],
): JsonObject {
  const pairs = Object.entries(entries).map(([event, { line, timeoutMs }]) => [
    event,
    [{ hooks: [{ type: 'command', command: line, [key]: timeoutMs / unitMs }] }],
  ])
  return Object.fromEntries(pairs) as JsonObject
}
