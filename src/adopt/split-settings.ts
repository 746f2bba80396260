import { type Edit, getNodeValue, type Node } from 'jsonc-parser'
import { bad, good, type Result } from '../errors.ts'
import {
  added,
  changed,
  firstValue,
  itemsOf,
  type JsonText,
  keyOf,
  lastValues,
  notStrict,
  propertiesOf,
  readJsonText,
  removed,
  valueAt,
} from '../hosts/json-text.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { keyPath } from '../sources/locate.ts'

/** Settings in two: what stays, byte for byte, and what was taken, in the same format. */
export interface SplitSettings {
  readonly rest: string
  readonly taken: JsonObject
}

/** `isTaken` is asked with the key of each handler, such as `hooks.PreToolUse[0].hooks[1]`. Pure: text in, text out. */
export function splitSettings(text: string, isTaken: (key: string) => boolean): Result<SplitSettings> {
  const document = plainSettings(text)
  if (!document.ok) return document
  const { root } = document.value
  const hooks = valueAt(root, 'hooks')
  const events = propertiesOf(hooks).map((property) => splitEvent(document.value, property, isTaken))
  const skillHook = valueAt(root, SKILL_HOOK)
  const takesSkillHook = skillHook !== undefined && isTaken(SKILL_HOOK)
  const isGone = (property: Node) => events.some((event) => event.property === property && event.isWhole)
  const isEmptied = events.length > 0 && events.every(({ isWhole }) => isWhole)
  const edits: Edit[] = [
    ...(root === undefined
      ? []
      : removed(document.value, root, (child) => {
          const key = keyOf(child)
          return (key === 'hooks' && isEmptied) || (key === SKILL_HOOK && takesSkillHook)
        })),
    ...(hooks === undefined || isEmptied ? [] : removed(document.value, hooks, isGone)),
    ...events.flatMap((event) => (event.isWhole ? [] : event.edits)),
  ]
  const taken = events.filter(({ groups }) => groups.length > 0)
  return good({
    rest: changed(document.value, edits),
    taken: {
      ...(taken.length === 0
        ? {}
        : { hooks: Object.fromEntries(taken.map(({ property, groups }) => [keyOf(property), groups])) }),
      ...(takesSkillHook ? { [SKILL_HOOK]: getNodeValue(skillHook) as Json } : {}),
    },
  })
}

/** The settings with what was once taken: at the end of each event's list, in its order. */
export function joinSettings(text: string | undefined, taken: JsonObject): Result<string> {
  const document = plainSettings(text ?? '')
  if (!document.ok) return document
  const { root } = document.value
  if (root === undefined) return good(firstValue(document.value, taken))
  const hooks = valueAt(root, 'hooks')
  const groups = isObject(taken.hooks) ? taken.hooks : {}
  const skillHook = taken[SKILL_HOOK]
  const edits: Edit[] = []
  const atRoot: { key: string; value: Json }[] = []
  if (skillHook !== undefined && valueAt(root, SKILL_HOOK) === undefined) {
    atRoot.push({ key: SKILL_HOOK, value: skillHook })
  }
  if (hooks?.type === 'object') {
    const atHooks: { key: string; value: Json }[] = []
    for (const [event, list] of Object.entries(groups)) {
      const there = valueAt(hooks, event)
      if (there?.type !== 'array') atHooks.push({ key: event, value: list })
      else
        edits.push(
          ...added(
            document.value,
            there,
            asList(list).map((value) => ({ value })),
          ),
        )
    }
    edits.push(...added(document.value, hooks, atHooks))
  } else if (Object.keys(groups).length > 0) {
    atRoot.push({ key: 'hooks', value: groups })
  }
  return good(changed(document.value, [...edits, ...added(document.value, root, atRoot)]))
}

const SKILL_HOOK = 'preToolUseHook'

/** What Claude Code itself would load. With a key that stands twice, taking one out brings the other to life. */
function plainSettings(text: string): Result<JsonText> {
  const document = readJsonText(text)
  if (!document.ok) return document
  const { root } = document.value
  if (root === undefined) return document
  const loose = notStrict(text)
  if (loose !== undefined) {
    const message = `Here is ${loose.why}; Claude Code does not load such a file.`
    return bad('CONFIG_VALUE', message, { line: loose.line, fix: 'Take it out first; nothing was changed.' })
  }
  const fix = 'Correct it first; nothing was changed.'
  if (root.type !== 'object') return bad('CONFIG_VALUE', 'The file must hold one JSON object.', { fix })
  const hooks = valueAt(root, 'hooks')
  const groups = propertiesOf(hooks).flatMap((property) => itemsOf(property.children?.[1]))
  const isDoubled = [root, ...(hooks === undefined ? [] : [hooks]), ...groups].some((node) =>
    [...lastValues(node).values()].some(({ isRepeated }) => isRepeated),
  )
  return isDoubled ? bad('CONFIG_VALUE', 'A key stands twice in this file.', { fix }) : document
}

interface SplitEvent {
  readonly property: Node
  /** What is taken of it. */
  readonly groups: readonly Json[]
  /** Nothing stays. */
  readonly isWhole: boolean
  readonly edits: readonly Edit[]
}

function splitEvent(document: JsonText, property: Node, isTaken: (key: string) => boolean): SplitEvent {
  const list = property.children?.[1]
  const split = itemsOf(list).map((group, index) => {
    const path = ['hooks', keyOf(property), index]
    const hooks = valueAt(group, 'hooks')
    if (hooks === undefined) {
      const isWhole = isTaken(keyPath(path))
      return { group, isWhole, taken: isWhole ? [getNodeValue(group) as Json] : [], edits: [] }
    }
    const handlers = itemsOf(hooks)
    const taken = new Set(handlers.filter((_, at) => isTaken(keyPath([...path, 'hooks', at]))))
    const value: Json = getNodeValue(group)
    return {
      group,
      isWhole: handlers.length > 0 && taken.size === handlers.length,
      taken:
        taken.size === 0 || !isObject(value)
          ? []
          : [{ ...value, hooks: [...taken].map((handler) => getNodeValue(handler) as Json) }],
      edits: removed(document, hooks, (child) => taken.has(child)),
    }
  })
  const whole = new Set(split.filter(({ isWhole }) => isWhole).map(({ group }) => group))
  return {
    property,
    groups: split.flatMap(({ taken }) => taken),
    isWhole: split.length > 0 && whole.size === split.length,
    edits:
      list === undefined
        ? []
        : [
            ...removed(document, list, (child) => whole.has(child)),
            ...split.flatMap(({ isWhole, edits }) => (isWhole ? [] : edits)),
          ],
  }
}

function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : []
}
