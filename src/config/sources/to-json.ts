import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import { bad, type ErrorCode, good, type Result } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { DEPTH_MAX, type YamlDocument } from './parse-yaml.ts'
import { SOURCE_MAX_BYTES } from './source.ts'

/**
 * YAML nodes to plain JSON: aliases are resolved, everything is counted; no cycles, duplicate keys or merge keys. The
 * index that it creates is used by `locate`.
 */
export interface YamlJson {
  readonly document: YamlDocument
  readonly json: Json
  readonly index: YamlIndex
}

interface YamlIndex {
  readonly targets: ReadonlyMap<Alias, Node>
  readonly pairs: ReadonlyMap<YAMLMap, ReadonlyMap<string, Pair>>
}

export function toJson(document: YamlDocument): Result<YamlJson> {
  const walk: Walk = {
    document,
    anchors: new Map(),
    targets: new Map(),
    pairs: new Map(),
    open: new Set(),
    aliasesOpen: 0,
    nodesLeft: NODES_MAX,
    charactersLeft: SOURCE_MAX_BYTES,
  }
  const json = nodeToJson(document.root, walk)
  return json.ok ? good({ document, json: json.value, index: walk }) : json
}

/** Values and keys; an alias counts every time it is used, so an alias bomb reaches this limit first. */
const NODES_MAX = 200_000

interface Walk extends YamlIndex {
  readonly document: YamlDocument
  readonly anchors: Map<string, Node>
  readonly targets: Map<Alias, Node>
  readonly pairs: Map<YAMLMap, ReadonlyMap<string, Pair>>
  /** The anchored nodes that are being read: an alias to one of them is a cycle. */
  readonly open: Set<Node>
  aliasesOpen: number
  nodesLeft: number
  charactersLeft: number
}

function nodeToJson(node: unknown, walk: Walk): Result<Json> {
  walk.nodesLeft -= 1
  if (walk.nodesLeft < 0) {
    return refuse(
      walk,
      node,
      `The file contains more than ${NODES_MAX} values, aliases counted.`,
      'CONFIG_TOO_LARGE',
    )
  }
  if (isAlias(node)) return aliasToJson(node, walk)
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return good(null)
  // An anchor is defined where it is written, not again where an alias inserts it.
  if (node.anchor !== undefined && walk.aliasesOpen === 0) walk.anchors.set(node.anchor, node)
  if (isScalar(node)) return scalarToJson(node, walk)
  if (walk.open.size >= DEPTH_MAX) {
    return refuse(walk, node, `The file nests deeper than ${DEPTH_MAX} levels.`)
  }
  walk.open.add(node)
  const json = isMap(node) ? mapToJson(node, walk) : listToJson(node.items, walk)
  walk.open.delete(node)
  return json
}

function aliasToJson(alias: Alias, walk: Walk): Result<Json> {
  const target = walk.targets.get(alias) ?? walk.anchors.get(alias.source)
  if (target === undefined) {
    return refuse(
      walk,
      alias,
      `\`*${alias.source}\` is an alias without an anchor. Put a pattern in quotes: "*${alias.source}".`,
    )
  }
  if (walk.open.has(target)) return refuse(walk, alias, `\`*${alias.source}\` contains itself.`)
  walk.targets.set(alias, target)
  walk.aliasesOpen += 1
  const json = nodeToJson(target, walk)
  walk.aliasesOpen -= 1
  return json
}

function scalarToJson(scalar: Scalar, walk: Walk): Result<Json> {
  const { value } = scalar
  if (typeof value === 'string') {
    walk.charactersLeft -= value.length
    return walk.charactersLeft < 0
      ? refuse(
          walk,
          scalar,
          `The file contains more than ${SOURCE_MAX_BYTES} characters, aliases counted.`,
          'CONFIG_TOO_LARGE',
        )
      : good(value)
  }
  if (value === null || typeof value === 'boolean') return good(value)
  // JSON has no `.inf` and `.nan`. As text they are rejected wherever a number is expected.
  return good(typeof value === 'number' && Number.isFinite(value) ? value : (scalar.source ?? String(value)))
}

function listToJson(items: readonly unknown[], walk: Walk): Result<Json> {
  const list: Json[] = []
  for (const item of items) {
    const json = nodeToJson(item, walk)
    if (!json.ok) return json
    list.push(json.value)
  }
  return good(list)
}

function mapToJson(map: YAMLMap, walk: Walk): Result<Json> {
  const pairs = new Map<string, Pair>()
  const entries: [string, Json][] = []
  walk.pairs.set(map, pairs)
  for (const pair of map.items) {
    const key = readKey(pair.key, walk)
    if (!key.ok) return key
    if (pairs.has(key.value)) return refuse(walk, pair.key, `The key \`${key.value}\` occurs twice.`)
    pairs.set(key.value, pair)
    const json = nodeToJson(pair.value, walk)
    if (!json.ok) return json
    entries.push([key.value, json.value])
  }
  return good(Object.fromEntries(entries))
}

function readKey(key: unknown, walk: Walk): Result<string> {
  if (!isScalar(key)) return refuse(walk, key, 'A key must be a plain word.')
  const text = typeof key.value === 'string' ? key.value : (key.source ?? '')
  walk.nodesLeft -= 1
  walk.charactersLeft -= text.length
  if (text === '<<') return refuse(walk, key, 'Merge keys (`<<`) are not supported; write the keys out.')
  if (text === '__proto__') return refuse(walk, key, 'The key `__proto__` is not allowed.')
  return good(text)
}

function refuse(
  walk: Walk,
  node: unknown,
  message: string,
  code: ErrorCode = 'CONFIG_NOT_YAML',
): Result<never> {
  const offset = (node as Partial<Node> | null)?.range?.[0] ?? 0
  return bad(code, message, walk.document.placeOf(offset))
}
