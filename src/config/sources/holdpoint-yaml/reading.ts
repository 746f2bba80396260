import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { ReadMatcher } from '../matcher.ts'
import type { Problems } from '../problems.ts'
import type { SourceFile } from '../source.ts'
import type { YamlJson } from '../to-json.ts'

/** What is needed to read the entries of one file. */
export interface YamlReader {
  readonly yaml: YamlJson
  readonly file: SourceFile
  readonly problems: Problems
  readonly readMatcher: ReadMatcher
}

/** The top-level part `key` as a mapping. If it is empty, or contains only comments, an empty one. */
export function readMapping(
  value: Json,
  key: string,
  accepted: string,
  { problems }: YamlReader,
): JsonObject {
  if (isObject(value)) return value
  if (value !== null) problems.addWrongValue([key], accepted)
  return {}
}
