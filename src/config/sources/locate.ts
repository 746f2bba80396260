import { isAlias, isMap, isNode, isSeq, type Node } from 'yaml'
import type { YamlJson } from './to-json.ts'

/** Both count from one. */
export interface SourceLocation {
  readonly line: number
  readonly column: number
}

export type Path = readonly (string | number)[]

/**
 * The location of a value, or of its key. A path that does not exist (a missing key) gets the location of the nearest
 * existing parent.
 */
export function locate(yaml: YamlJson, path: Path, part: 'key' | 'value' = 'value'): SourceLocation {
  let node: Node | undefined = yaml.document.root
  let offset = startOf(node) ?? 0
  for (const [depth, step] of path.entries()) {
    const found = stepInto(node, step, yaml)
    if (found === undefined) break
    const isLast = depth === path.length - 1
    offset =
      (isLast && part === 'key' ? startOf(found.key) : startOf(found.value)) ?? startOf(found.key) ?? offset
    node = found.value
  }
  return yaml.document.placeOf(offset)
}

/** `hooks.PreToolUse[0].match`; keys that are not plain words are written in brackets and quotes. */
export function keyPath(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (!PLAIN_KEY.test(step)) text += `[${JSON.stringify(step)}]`
    else text += text === '' ? step : `.${step}`
  }
  return text
}

const PLAIN_KEY = /^[\w-]+$/

interface Found {
  readonly key: Node | undefined
  readonly value: Node | undefined
}

function stepInto(from: Node | undefined, step: string | number, { index }: YamlJson): Found | undefined {
  const node = isAlias(from) ? index.targets.get(from) : from
  if (isMap(node)) {
    const pair = index.pairs.get(node)?.get(String(step))
    return pair && { key: nodeOrNothing(pair.key), value: nodeOrNothing(pair.value) }
  }
  if (!isSeq(node) || typeof step !== 'number' || step >= node.items.length) return undefined
  const item = nodeOrNothing(node.items[step])
  return { key: item, value: item }
}

function nodeOrNothing(value: unknown): Node | undefined {
  return isNode(value) ? value : undefined
}

function startOf(node: Node | undefined): number | undefined {
  return node?.range?.[0]
}
