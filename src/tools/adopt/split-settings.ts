import { type Edit, getNodeValue, type Node } from 'jsonc-parser'
import { keyPath } from '../../config/sources/locate.ts'
import { bad, good, type Result } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import {
  added,
  changed,
  firstValue,
  itemsOf,
  type JsonText,
  lastValues,
  notStrict,
  propertiesOf,
  propertyName,
  readJsonText,
  valueAt,
  withoutProperty,
} from '../../hosts/json-text.ts'

/** Settings in two parts: what stays, byte for byte, and what was taken, in the same format. */
export interface SplitSettings {
  readonly rest: string
  readonly taken: JsonObject
}

/**
 * `isTaken` is called with the key of each handler, such as `hooks.PreToolUse[0].hooks[1]`. Pure: text in,
 * text out.
 */
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
      : withoutProperty(document.value, root, (child) => {
          const key = propertyName(child)
          return (key === 'hooks' && isEmptied) || (key === SKILL_HOOK && takesSkillHook)
        })),
    ...(hooks === undefined || isEmptied ? [] : withoutProperty(document.value, hooks, isGone)),
    ...events.flatMap((event) => (event.isWhole ? [] : event.edits)),
  ]
  const taken = events.filter(({ groups }) => groups.length > 0)
  return good({
    rest: changed(document.value, edits),
    taken: {
      ...(taken.length === 0
        ? {}
        : {
            hooks: Object.fromEntries(taken.map(({ property, groups }) => [propertyName(property), groups])),
          }),
      ...(takesSkillHook ? { [SKILL_HOOK]: getNodeValue(skillHook) as Json } : {}),
    },
  })
}

/** The settings with the taken hooks added at the end of each event's list, in their order. */
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

/**
 * Accepts only what Claude Code itself would load. If a key appears twice, removing one would activate the
 * other.
 */
function plainSettings(text: string): Result<JsonText> {
  const document = readJsonText(text)
  if (!document.ok) return document
  const { root } = document.value
  if (root === undefined) return document
  const loose = notStrict(text)
  if (loose !== undefined) {
    const message = `The file has ${loose.why}, so Claude Code does not load it.`
    return bad('CONFIG_VALUE', message, { line: loose.line, fix: 'Remove it first. Nothing was changed.' })
  }
  const fix = 'Correct the file first. Nothing was changed.'
  if (root.type !== 'object') return bad('CONFIG_VALUE', 'The file must contain one JSON object.', { fix })
  const hooks = valueAt(root, 'hooks')
  const groups = propertiesOf(hooks).flatMap((property) => itemsOf(property.children?.[1]))
  const isDoubled = [root, ...(hooks === undefined ? [] : [hooks]), ...groups].some((node) =>
    [...lastValues(node).values()].some(({ isRepeated }) => isRepeated),
  )
  return isDoubled ? bad('CONFIG_VALUE', 'A key appears twice in this file.', { fix }) : document
}

interface SplitEvent {
  readonly property: Node
  /** The part that is taken. */
  readonly groups: readonly Json[]
  /** Nothing stays. */
  readonly isWhole: boolean
  readonly edits: readonly Edit[]
}

function splitEvent(document: JsonText, property: Node, isTaken: (key: string) => boolean): SplitEvent {
  const list = property.children?.[1]
  const split = itemsOf(list).map((group, index) => {
    const path = ['hooks', propertyName(property), index]
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
      edits: withoutProperty(document, hooks, (child) => taken.has(child)),
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
            ...withoutProperty(document, list, (child) => whole.has(child)),
            ...split.flatMap(({ isWhole, edits }) => (isWhole ? [] : edits)),
          ],
  }
}

function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : []
}
