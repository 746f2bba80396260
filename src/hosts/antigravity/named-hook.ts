import { getNodeValue, type Node } from 'jsonc-parser'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { startsHookProgram } from '../hook-entry.ts'
import type { InstalledEntry } from '../installer.ts'
import { readJsonText, valueAt } from '../json-text.ts'

/** The name of our hook in `hooks.json`. */
export const NAME = 'holdpoint'

/** True: something under our name starts a program that is not ours. */
export function foreignIn(root: Node): boolean {
  const value = namedValue(root)
  if (value === undefined) return false
  return !isObject(value) || handlersOf(value).some(({ handler }) => !isOurs(handler))
}

/** Ours, as the agent would start them: one for each event, for every tool. */
export function ownEntries(root: Node | undefined): readonly InstalledEntry[] {
  const value = root === undefined ? undefined : namedValue(root)
  if (!isObject(value) || value.enabled === false) return []
  const own = handlersOf(value).filter(({ handler, isForAll }) => isForAll && isOurs(handler))
  const first = new Map(own.toReversed().map((each) => [each.event, each]))
  return own
    .filter((each) => first.get(each.event) === each)
    .map(({ event, handler }) => ({
      ...{ event, command: String(handler.command), args: undefined, shell: true, failsClosed: true },
      timeoutMs: typeof handler.timeout === 'number' ? handler.timeout * 1_000 : undefined,
    }))
}

/** What makes it drop the file or leave our hook out, in plain words. */
export function whyDropped(text: string): readonly string[] {
  const document = readJsonText(text)
  if (!document.ok || document.value.root === undefined) return []
  const value: unknown = getNodeValue(document.value.root)
  const named = isObject(value) ? Object.entries(value) : []
  return named.flatMap(([name, hook]) => {
    const broken = isObject(hook) ? handlersOf(hook).some(({ handler }) => !isWhole(handler.timeout)) : true
    const off = name === NAME && isObject(hook) && hook.enabled === false
    return [
      ...(broken
        ? [`\`${name}\` has a value that is not allowed, and Antigravity drops the whole file.`]
        : []),
      ...(off ? ['`enabled: false` switches every hook of Holdpoint off. Remove it.'] : []),
    ]
  })
}

interface Handler {
  readonly event: string
  readonly handler: JsonObject
  readonly isForAll: boolean
}

/** Handlers stand in the list of an event, or in the `hooks` of a group there. */
function handlersOf(hook: JsonObject): readonly Handler[] {
  return Object.entries(hook).flatMap(([event, list]) =>
    listOf(list).flatMap((item): readonly Handler[] => {
      if (!isObject(item)) return []
      if (item.hooks === undefined) return [{ event, handler: item, isForAll: true }]
      const isForAll = item.matcher === undefined || item.matcher === '' || item.matcher === '*'
      return listOf(item.hooks)
        .filter(isObject)
        .map((handler) => ({ event, handler, isForAll }))
    }),
  )
}

/** The last of several equal keys counts. */
function namedValue(root: Node): Json | undefined {
  const node = valueAt(root, NAME)
  return node === undefined ? undefined : getNodeValue(node)
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function isOurs(handler: JsonObject): boolean {
  return typeof handler.command === 'string' && startsHookProgram(handler.command, undefined)
}

function isWhole(timeout: Json | undefined): boolean {
  return timeout === undefined || Number.isInteger(timeout)
}
