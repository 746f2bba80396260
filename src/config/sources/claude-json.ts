import { getNodeValue, type Node } from 'jsonc-parser'
import { bad, good, type Problem, type Result } from '../../core/errors.ts'
import type { Origin } from '../../core/hook.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { itemsOf, notStrict, propertiesOf, readJsonText, valueAt } from '../../hosts/json-text.ts'
import { keyPath, type Path } from './locate.ts'
import { printable } from './problems.ts'
import { SOURCE_MAX_BYTES } from './source.ts'

/** A JSON file with the location of every value. */
export interface ClaudeJson {
  readonly json: JsonObject
  /** The location of the value at a path. If the path does not exist, the nearest existing parent. */
  place(path: Path): Origin
  /** Comments and trailing commas: Holdpoint accepts them, Claude Code does not. */
  readonly notes: readonly Problem[]
}

export function readClaudeJson(text: string, file: string): Result<ClaudeJson> {
  if (text.length > SOURCE_MAX_BYTES || new TextEncoder().encode(text).length > SOURCE_MAX_BYTES) {
    return bad('CONFIG_TOO_LARGE', `The file is larger than ${SOURCE_MAX_BYTES} bytes.`, { file, line: 1 })
  }
  const document = readJsonText(text)
  if (!document.ok) {
    const message = printable(document.problem.message)
    const { line = 1, column = 1 } = document.problem
    return bad('CONFIG_VALUE', message, { file, line, column, fix: NOT_JSON })
  }
  const { root } = document.value
  const json = root === undefined ? good({}) : plainValue(root)
  const place = placesIn(text, root, file)
  if (!json.ok || !isObject(json.value)) {
    const message = json.ok ? 'The file must contain one JSON object.' : json.problem.message
    return bad('CONFIG_VALUE', message, { ...place([]), fix: NOT_JSON })
  }
  return good({ json: json.value, place, notes: root === undefined ? [] : looseness(text, file) })
}

const NOT_JSON = 'Correct the file at this line, or remove it.'

/** For duplicate keys the last one counts, as in every JSON parser. */
function plainValue(root: Node): Result<unknown> {
  try {
    return good(getNodeValue(root))
  } catch (error) {
    // The parser is recursive, so a very deep file causes a RangeError.
    if (!(error instanceof RangeError)) throw error
    return bad('CONFIG_VALUE', 'This is nested too deeply to be read.')
  }
}

function looseness(text: string, file: string): readonly Problem[] {
  const loose = notStrict(text)
  if (loose === undefined) return []
  const message = `JSON does not allow ${loose.why}: Claude Code does not load this file and runs none of its hooks.`
  const fix = 'Remove it.'
  return [{ code: 'CONFIG_VALUE', severity: 'warning', message, file, line: loose.line, column: 1, fix }]
}

/** The locations in a document, by the path of each value. */
export function placesIn(text: string, root: Node | undefined, file: string): ClaudeJson['place'] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (path) => {
    let [node, offset] = [root, root?.offset ?? 0]
    for (const step of path) {
      node = typeof step === 'number' ? itemsOf(node)[step] : lastValue(node, step)
      if (node === undefined) break
      offset = node.offset
    }
    const line = countUpTo(starts, offset)
    const column = offset - (starts[line - 1] ?? 0) + 1
    return { file, line, column, ...(path.length === 0 ? {} : { key: keyPath(path) }) }
  }
}

function lastValue(object: Node | undefined, key: string): Node | undefined {
  return propertiesOf(object).length === 0 ? undefined : valueAt(object, key)
}

/** How many of the ascending numbers are not larger. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
