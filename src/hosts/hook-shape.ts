import type { Node } from 'jsonc-parser'
import { itemsOf, propertiesOf, propertyName, valueAt } from './json-text.ts'

/** What an agent accepts in the shape `hooks` → event → groups → `hooks` → entries. */
export interface HookShape {
  /** The events at which one wrong entry makes the agent drop the whole file. */
  readonly events: ReadonlySet<string>
  readonly types: ReadonlySet<string>
  readonly groupNeedsHooks: boolean
  readonly matcherMayBeNull: boolean
}

/** The keys at which the agent would stop reading, such as `hooks.PreToolUse.0.hooks.1.type`. */
export function wrongKeys(root: Node | undefined, shape: HookShape): readonly string[] {
  const hooks = valueAt(root, 'hooks')
  if (hooks === undefined) return []
  if (hooks.type !== 'object') return ['hooks']
  return propertiesOf(hooks).flatMap((property) => {
    const [event, list] = [propertyName(property), property.children?.[1]]
    if (list === undefined || !shape.events.has(event)) return []
    if (list.type !== 'array') return [`hooks.${event}`]
    return itemsOf(list).flatMap((group, index) => wrongInGroup(group, `hooks.${event}.${index}`, shape))
  })
}

function wrongInGroup(group: Node, key: string, shape: HookShape): readonly string[] {
  if (group.type !== 'object') return [key]
  const [matcher, hooks] = [valueAt(group, 'matcher'), valueAt(group, 'hooks')]
  const isMatcher = matcher === undefined || matcher.type === 'string'
  const isHooks = hooks === undefined ? !shape.groupNeedsHooks : hooks.type === 'array'
  return [
    ...(isMatcher || (matcher.type === 'null' && shape.matcherMayBeNull) ? [] : [`${key}.matcher`]),
    ...(isHooks ? [] : [`${key}.hooks`]),
    ...itemsOf(hooks).flatMap((entry, index) => wrongInEntry(entry, `${key}.hooks.${index}`, shape)),
  ]
}

function wrongInEntry(entry: Node, key: string, shape: HookShape): readonly string[] {
  if (entry.type !== 'object') return [key]
  const type = valueAt(entry, 'type')?.value
  if (!shape.types.has(type)) return [`${key}.type`]
  const timeout = valueAt(entry, 'timeout')
  const isCommand = type !== 'command' || valueAt(entry, 'command')?.type === 'string'
  return [
    ...(isCommand ? [] : [`${key}.command`]),
    ...(timeout === undefined || timeout.type === 'number' ? [] : [`${key}.timeout`]),
  ]
}
