import { type Edit, getNodeValue, type Node } from 'jsonc-parser'
import { good, type Problem, type Result } from '../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { isHookAddress, startsHookProgram } from './hook-entry.ts'
import type { InstalledEntry } from './installer.ts'
import {
  added,
  changed,
  firstValue,
  hasComments,
  itemsOf,
  type JsonText,
  lastValues,
  propertiesOf,
  propertyName,
  readJsonText,
  valueAt,
  valuesAt,
  withoutProperty,
  withValue,
} from './json-text.ts'

/**
 * Our entries in settings of the shape that several agents share: `hooks` → event → groups → `hooks` → entries. Text in,
 * text out; nothing else is changed.
 */

/** Where the map of events stands: under `hooks`, or the file is that map. `flat`: under `hooks`, without groups. */
export type HooksAt = 'hooks' | 'root' | 'flat'

/**
 * The text with exactly one entry of ours for each wanted event and none elsewhere. An entry that can stay where it
 * is stays there: an agent may know the entries behind it by their position.
 */
export function installHooks(
  text: string | undefined,
  wanted: ReadonlyMap<string, JsonObject>,
  at: HooksAt = 'hooks',
): Result<string> {
  return reading(text ?? '', (before) => {
    const wrong = wrongShape(before.root, wanted.keys(), at)
    if (wrong !== undefined) return { ok: false, problem: wrong }
    const kept = keptEntries(before, wanted, at)
    const doomed = (own: OwnEntry) => kept.get(own.event)?.entry !== own.entry
    const cleaned = changed(before, [
      ...removals(before, ownEntries(before, at).filter(doomed)),
      ...[...kept.values()].flatMap(({ event, entry, value }) => {
        const now = wanted.get(event) ?? {}
        return JSON.stringify(value) === JSON.stringify(now) ? [] : withValue(before, entry, now)
      }),
    ])
    const missing = [...wanted].filter(([event]) => !kept.has(event))
    return reading(cleaned, (document) => good(withEntries(document, missing, at)))
  })
}

/** The text without our entries and without what only they filled; undefined when nothing else was in it. */
export function uninstallHooks(text: string, at: HooksAt = 'hooks'): Result<string | undefined> {
  return reading(text, (before) => {
    const own = ownEntries(before, at)
    if (own.length === 0) return good(text)
    const after = changed(before, removals(before, own))
    const left = after.replace(/\s/g, '')
    return good(left === '{}' || (at === 'flat' && left === '{"version":1}') ? undefined : after)
  })
}

/** One of our entries, its position, and what the agent reads there. */
export interface OwnEntry {
  readonly event: string
  /** Its group's and its own position, as the agent counts them. */
  readonly position: readonly [number, number]
  /** Undefined: the group has none, and the entry is started at every event of its kind. */
  readonly matcher: Json | undefined
  readonly value: JsonObject
  readonly entry: Node
  /** False: an equal key further down hides it, and the agent never sees it. */
  readonly isEffective: boolean
}

/** Ours, as the agent would start them: one for each event at which ours is started always. */
export function installedEntries(
  text: string,
  failsClosed: (entry: JsonObject) => boolean,
  at: HooksAt = 'hooks',
): Result<readonly InstalledEntry[]> {
  return reading(text, (document) => {
    const always = ownEntries(document, at).filter((own) => isAlwaysStarted(own, at))
    const first = new Map(always.toReversed().map((own) => [own.event, own]))
    return good(
      always
        .filter((own) => first.get(own.event) === own)
        .map(({ event, value }) => ({ event, ...startOf(value), failsClosed: failsClosed(value) })),
    )
  })
}

/** With a matcher, a condition or in the background, some calls would not be checked. */
function isAlwaysStarted({ isEffective, matcher, value }: OwnEntry, at: HooksAt): boolean {
  const isForAll = matcher === undefined || matcher === '' || matcher === '*'
  const isCommand = value.type === 'command' || (at === 'flat' && value.type === undefined)
  const isPlain = (isCommand || isAsked(value)) && value.if === undefined
  return isEffective && isForAll && isPlain && !value.async && !value.asyncRewake
}

/** A host that reads `type` asks the address then, whatever else stands in the entry. */
function isAsked(entry: JsonObject): boolean {
  return entry.type === 'http'
}

function startOf(
  entry: JsonObject,
): Pick<InstalledEntry, 'command' | 'args' | 'shell' | 'timeoutMs' | 'headers'> {
  const timeoutMs = typeof entry.timeout === 'number' ? entry.timeout * 1_000 : undefined
  if (isAsked(entry)) {
    const headers = isObject(entry.headers) ? Object.entries(entry.headers) : []
    const said = Object.fromEntries(headers.map(([name, value]) => [name, String(value)]))
    return { command: String(entry.url), args: undefined, shell: false, timeoutMs, headers: said }
  }
  const args = Array.isArray(entry.args) ? entry.args.map(String) : undefined
  return { command: String(entry.command), args, shell: args === undefined, timeoutMs }
}

/** Every entry of ours that the agent reads, with its place. */
export function ownEntriesOf(text: string): Result<readonly OwnEntry[]> {
  return reading(text, (document) =>
    good(ownEntries(document, 'hooks').filter(({ isEffective }) => isEffective)),
  )
}

function ownEntries({ root }: JsonText, at: HooksAt): readonly OwnEntry[] {
  const effective = mapOfEvents(root, at)
  const all = at !== 'root' ? valuesAt(root, 'hooks') : root === undefined ? [] : [root]
  return all.flatMap((hooks) => {
    const last = lastValues(hooks)
    return propertiesOf(hooks).flatMap((property) => {
      const [event, list] = [propertyName(property), property.children?.[1]]
      const isEffective = hooks === effective && last.get(event)?.value === list
      return itemsOf(list).flatMap((item, index) =>
        at === 'flat'
          ? ownAlone(item, index, event, isEffective)
          : ownInGroup(item, index, event, isEffective),
      )
    })
  })
}

function mapOfEvents(root: Node | undefined, at: HooksAt): Node | undefined {
  return at === 'root' ? root : valueAt(root, 'hooks')
}

/** An entry that stands in the list of its event, with its matcher in itself. */
function ownAlone(entry: Node, index: number, event: string, isEffective: boolean): readonly OwnEntry[] {
  if (!isOurs(entry)) return []
  const value = getNodeValue(entry)
  return [{ event, position: [index, 0], isEffective, matcher: value.matcher, value, entry }]
}

function ownInGroup(
  group: Node,
  groupIndex: number,
  event: string,
  isGroupEffective: boolean,
): readonly OwnEntry[] {
  const matcher = valueAt(group, 'matcher')
  return valuesAt(group, 'hooks').flatMap((entries) => {
    const isEffective = isGroupEffective && valueAt(group, 'hooks') === entries
    return itemsOf(entries).flatMap((entry, index): OwnEntry[] => {
      if (!isOurs(entry)) return []
      const place = { event, position: [groupIndex, index], isEffective } as const
      return [{ ...place, matcher: matcher && getNodeValue(matcher), value: getNodeValue(entry), entry }]
    })
  })
}

function isOurs(entry: Node): boolean {
  const url = valueAt(entry, 'url')?.value
  if (valueAt(entry, 'type')?.value === 'http') return typeof url === 'string' && isHookAddress(url)
  const command = valueAt(entry, 'command')?.value
  const args = valueAt(entry, 'args')
  return typeof command === 'string' && startsHookProgram(command, args && getNodeValue(args))
}

/** The entries that may stay: the first of each wanted event that the agent starts at every event of its kind. */
function keptEntries(
  document: JsonText,
  wanted: ReadonlyMap<string, JsonObject>,
  at: HooksAt,
): ReadonlyMap<string, OwnEntry> {
  const kept = new Map<string, OwnEntry>()
  for (const own of ownEntries(document, at)) {
    const isUsable = own.isEffective && own.matcher === undefined && wanted.has(own.event)
    if (isUsable && !kept.has(own.event)) kept.set(own.event, own)
  }
  return kept
}

function withEntries(
  document: JsonText,
  missing: readonly (readonly [string, JsonObject])[],
  at: HooksAt,
): string {
  if (missing.length === 0) return document.text
  const { root } = document
  const hooks = mapOfEvents(root, at)
  const groupOf = (entry: JsonObject) => (at === 'flat' ? entry : { hooks: [entry] })
  const asLists = (entries: typeof missing) =>
    entries.map(([key, entry]) => ({ key, value: [groupOf(entry)] }))
  if (root === undefined || hooks === undefined) {
    const value = Object.fromEntries(asLists(missing).map(({ key, value }) => [key, value]))
    return root === undefined
      ? firstValue(document, at === 'root' ? value : { ...(at === 'flat' ? VERSION : {}), hooks: value })
      : changed(document, added(document, root, [{ key: 'hooks', value }]))
  }
  const edits = missing.flatMap(([event, entry]) => {
    const list = valueAt(hooks, event)
    return list === undefined ? [] : added(document, list, [{ value: groupOf(entry) }])
  })
  const unlisted = missing.filter(([event]) => valueAt(hooks, event) === undefined)
  return changed(document, [...edits, ...added(document, hooks, asLists(unlisted))])
}

/** The agents with a flat list want to read which form it is. */
const VERSION: JsonObject = { version: 1 }

/** Removes the entries, and every container that held nothing else; one with a comment in it stays, empty. */
function removals(document: JsonText, own: readonly OwnEntry[]): readonly Edit[] {
  const entries = new Set(own.map(({ entry }) => entry))
  const touched = new Set(own.flatMap(({ entry }) => ancestorsOf(entry)))
  /** `all`: nothing but ours was in it, so its parent drops it whole. */
  const prune = (node: Node): readonly Edit[] | 'all' => {
    if (entries.has(node)) return 'all'
    if (!touched.has(node)) return []
    const children = node.children ?? []
    const inner = new Map(children.map((child) => [child, prune(valueIn(child))]))
    const isGone = (child: Node) => inner.get(child) === 'all'
    const isEmptied = children.every((child) => isGone(child) || isMatcher(child))
    if (isEmptied && node !== document.root && !hasComments(document, node)) return 'all'
    const stays = stayingKeys(node)
    return [
      ...withoutProperty(document, node, (child) => isGone(child) && !stays(child)),
      ...children
        .filter((child) => isGone(child) && stays(child))
        .flatMap((child) => {
          return withoutProperty(document, valueIn(child), () => true)
        }),
      ...[...inner.values()].flatMap((edits) => (edits === 'all' ? [] : edits)),
    ]
  }
  const edits = document.root === undefined ? [] : prune(document.root)
  return edits === 'all' ? [] : edits
}

/**
 * Keys that stay, but empty: one that hides an equal key, which would become active, and the list of a group, without
 * which some agents drop the whole file.
 */
function stayingKeys(object: Node): (child: Node) => boolean {
  const last = lastValues(object)
  return (child) =>
    child.type === 'property' && (isGroup(object) || last.get(propertyName(child))?.isRepeated === true)
}

function valueIn(child: Node): Node {
  return (child.type === 'property' ? child.children?.[1] : undefined) ?? child
}

function ancestorsOf(node: Node): readonly Node[] {
  return node.parent === undefined ? [] : [node.parent, ...ancestorsOf(node.parent)]
}

/** A group's matcher means nothing without entries. */
function isMatcher(property: Node): boolean {
  return propertyName(property) === 'matcher' && isGroup(property.parent)
}

function isGroup(node: Node | undefined): boolean {
  return node?.type === 'object' && node.parent?.type === 'array'
}

function wrongShape(root: Node | undefined, events: Iterable<string>, at: HooksAt): Problem | undefined {
  if (root === undefined) return undefined
  if (root.type !== 'object') return wrongType('', root, 'an object')
  const hooks = mapOfEvents(root, at)
  if (hooks === undefined) return undefined
  if (hooks.type !== 'object') return wrongType('hooks', hooks, 'an object')
  for (const event of events) {
    const list = valueAt(hooks, event)
    const key = at === 'root' ? event : `hooks.${event}`
    if (list !== undefined && list.type !== 'array') return wrongType(key, list, 'a list')
  }
  return undefined
}

function wrongType(key: string, node: Node, expected: string): Problem {
  return {
    code: 'CONFIG_VALUE',
    message: `Expected ${expected}, not ${TYPE_NAMES[node.type] ?? node.type}.`,
    ...(key === '' ? {} : { key }),
    fix: 'Correct or remove it, then install again; nothing was changed.',
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
}

function reading<T>(text: string, use: (document: JsonText) => Result<T>): Result<T> {
  const document = readJsonText(text)
  return document.ok ? use(document.value) : document
}
