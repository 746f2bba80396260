import { type Edit, getNodeValue, type Node } from 'jsonc-parser'
import { bad, good, type Result } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import {
  added,
  changed,
  firstValue,
  hasComments,
  itemsOf,
  type JsonText,
  propertiesOf,
  propertyName,
  readJsonText,
  valueAt,
  withoutProperty,
  withValue,
} from '../json-text.ts'

/** Our plugin in OpenClaw's configuration: `plugins.entries.holdpoint`, and `plugins.allow` where that is a list. */

const PLUGIN_ID = 'holdpoint'

/** The text with this entry. Every other byte stays as it is. */
export function withEntry(text: string | undefined, entry: JsonObject): Result<string> {
  const read = readConfig(text ?? '')
  if (!read.ok) return read
  const document = read.value
  const { root } = document
  if (root === undefined) return good(firstValue(document, { plugins: { entries: { [PLUGIN_ID]: entry } } }))
  const plugins = valueAt(root, 'plugins')
  const entries = valueAt(plugins, 'entries')
  const own = valueAt(entries, PLUGIN_ID)
  for (const [name, node] of Object.entries({ plugins, 'plugins.entries': entries })) {
    if (node !== undefined && node.type !== 'object') return notAnObject(name)
  }
  return good(
    changed(document, [...entryEdits(document, root, entry, own), ...allowEdits(document, plugins)]),
  )
}

function entryEdits(
  document: JsonText,
  root: Node,
  entry: JsonObject,
  own: Node | undefined,
): readonly Edit[] {
  if (own !== undefined) return isSame(own, entry) ? [] : withValue(document, own, entry)
  const plugins = valueAt(root, 'plugins')
  const entries = valueAt(plugins, 'entries')
  if (entries !== undefined) return added(document, entries, [{ key: PLUGIN_ID, value: entry }])
  const value = { [PLUGIN_ID]: entry }
  if (plugins !== undefined) return added(document, plugins, [{ key: 'entries', value }])
  return added(document, root, [{ key: 'plugins', value: { entries: value } }])
}

/** A list of allowed plugins keeps every other one out. */
function allowEdits(document: JsonText, plugins: Node | undefined): readonly Edit[] {
  const allow = valueAt(plugins, 'allow')
  if (allow?.type !== 'array' || itemsOf(allow).some(isOwnName)) return []
  return added(document, allow, [{ value: PLUGIN_ID }])
}

/** The text without it, and without objects that only it filled; undefined when nothing else was in it. */
export function withoutEntry(text: string): Result<string | undefined> {
  const read = readConfig(text)
  if (!read.ok) return read
  const document = read.value
  const { root } = document
  const plugins = valueAt(root, 'plugins')
  const allow = valueAt(plugins, 'allow')
  const allowed =
    allow === undefined || !itemsOf(allow).some(isOwnName) ? [] : withoutProperty(document, allow, isOwnName)
  const edits = [...entryRemoval(document), ...allowed]
  if (edits.length === 0) return good(text)
  const after = changed(document, edits)
  return good(after.replace(/\s/g, '') === '{}' ? undefined : after)
}

function entryRemoval(document: JsonText): readonly Edit[] {
  const { root } = document
  const plugins = valueAt(root, 'plugins')
  const entries = valueAt(plugins, 'entries')
  if (root === undefined || plugins === undefined || entries === undefined) return []
  if (valueAt(entries, PLUGIN_ID) === undefined) return []
  const isNamed = (name: string) => (child: Node) => propertyName(child) === name
  const isOnly = (container: Node) =>
    propertiesOf(container).length === 1 && !hasComments(document, container)
  if (!isOnly(entries)) return withoutProperty(document, entries, isNamed(PLUGIN_ID))
  return isOnly(plugins)
    ? withoutProperty(document, root, isNamed('plugins'))
    : withoutProperty(document, plugins, isNamed('entries'))
}

/** What the configuration says of our plugin; undefined: nothing. */
export function entryIn(text: string): Result<JsonObject | undefined> {
  const read = readConfig(text)
  if (!read.ok) return read
  const own = valueAt(valueAt(valueAt(read.value.root, 'plugins'), 'entries'), PLUGIN_ID)
  const value: Json | undefined = own === undefined ? undefined : getNodeValue(own)
  return good(isObject(value) ? value : undefined)
}

/** What keeps OpenClaw from loading it or from asking it everything, as ends of sentences. */
export function entryProblems(text: string): readonly string[] {
  const read = readConfig(text)
  if (!read.ok) return []
  const plugins = valueAt(read.value.root, 'plugins')
  const own = entryIn(text)
  if (!own.ok || own.value === undefined) return []
  const { enabled, hooks } = own.value
  const granted = isObject(hooks) ? hooks : {}
  const allow = valueAt(plugins, 'allow')
  const isKeptOut = allow?.type === 'array' && !itemsOf(allow).some(isOwnName)
  return [
    ...(valueAt(plugins, 'enabled')?.value === false ? ['`plugins.enabled` is false.'] : []),
    ...(enabled === true ? [] : ['`plugins.entries.holdpoint.enabled` is not true.']),
    ...(isKeptOut ? ['`plugins.allow` does not name holdpoint.'] : []),
    ...(itemsOf(valueAt(plugins, 'deny')).some(isOwnName) ? ['`plugins.deny` names holdpoint.'] : []),
    ...(granted.allowConversationAccess === true
      ? []
      : ['`plugins.entries.holdpoint.hooks.allowConversationAccess` is not true.']),
    ...('timeoutMs' in granted || 'timeouts' in granted
      ? ['`plugins.entries.holdpoint.hooks` sets timeouts, and a hook that is late is skipped.']
      : []),
  ]
}

function isOwnName(item: Node): boolean {
  return item.value === PLUGIN_ID
}

function isSame(node: Node, value: JsonObject): boolean {
  return JSON.stringify(getNodeValue(node)) === JSON.stringify(value)
}

/** OpenClaw reads JSON5. What goes beyond comments and trailing commas cannot be changed byte by byte. */
function readConfig(text: string): Result<JsonText> {
  const read = readJsonText(text)
  if (!read.ok) {
    const fix =
      'Write keys and texts in double quotes there, and install again; nothing was changed. OpenClaw reads both.'
    return { ok: false, problem: { ...read.problem, fix } }
  }
  const { root } = read.value
  return root === undefined || root.type === 'object' ? read : notAnObject('The file')
}

function notAnObject(name: string): Result<never> {
  return bad('CONFIG_VALUE', `${name} is not an object.`, {
    fix: 'Correct the file and install again; nothing was changed.',
  })
}
