import type { Node } from 'jsonc-parser'
import { type HookShape, wrongKeys } from '../hook-shape.ts'
import {
  BYTE_ORDER_MARK,
  itemsOf,
  lastValues,
  notStrict,
  propertiesOf,
  readJsonText,
  valueAt,
} from '../json-text.ts'
import { CODEX_EVENTS } from './abilities.ts'

/**
 * What makes Codex drop the whole file, as observed in 0.166.0: it reads strict JSON of a fixed shape and reports errors
 * only in a log. A text that is not JSON is reported by the code that reads the entries.
 */
export function hooksFileWarnings(text: string): readonly string[] {
  const document = readJsonText(text)
  if (!document.ok || document.value.root === undefined) return []
  const { root } = document.value
  const strict = notStrict(text)
  const reasons = [
    ...(text.startsWith(BYTE_ORDER_MARK) ? ['the file begins with a byte order mark'] : []),
    ...(strict === undefined ? [] : [`line ${strict.line} has ${strict.why}`]),
    ...unknownKeys(root).map((key) => `the key ${key} is not known`),
    ...repeatedKeys(root).map((key) => `${key} occurs twice`),
    ...wrongKeys(root, SHAPE).map((key) => `${key} has the wrong shape`),
  ]
  return reasons.map(
    (reason) => `${reason}. Codex ignores the whole file, and no hook in it runs: correct or remove it.`,
  )
}

const TOP_LEVEL: ReadonlySet<unknown> = new Set(['description', 'hooks'])

const SHAPE: HookShape = {
  // Events it does not know are ignored, whatever they hold.
  events: new Set([...Object.keys(CODEX_EVENTS), 'Interrupt']),
  types: new Set(['command', 'mcp_tool', 'prompt', 'agent']),
  groupNeedsHooks: false,
  matcherMayBeNull: true,
}

function unknownKeys(root: Node): readonly string[] {
  return [...lastValues(root).keys()].filter((key) => !TOP_LEVEL.has(key))
}

function repeatedKeys(root: Node): readonly string[] {
  const hooks = valueAt(root, 'hooks')
  const groups = propertiesOf(hooks).flatMap((property) => itemsOf(property.children?.[1]))
  const entries = groups.flatMap((group) => itemsOf(valueAt(group, 'hooks')))
  return [root, ...(hooks === undefined ? [] : [hooks]), ...groups, ...entries].flatMap((object) =>
    [...lastValues(object)].filter(([, { isRepeated }]) => isRepeated).map(([key]) => key),
  )
}
