import { isObject, type Json, type JsonObject } from '../../json.ts'
import type { ReadMatcher } from '../matcher.ts'
import type { Problems } from '../problems.ts'
import type { SourceFile } from '../source.ts'
import type { YamlJson } from '../to-json.ts'

/** What reading the entries of one file needs. */
export interface Reading {
  readonly yaml: YamlJson
  readonly file: SourceFile
  readonly problems: Problems
  readonly readMatcher: ReadMatcher
}

/** The top-level part `key` as a mapping. With nothing below it, or only comments, it is an empty one. */
export function readMapping(value: Json, key: string, accepted: string, { problems }: Reading): JsonObject {
  if (isObject(value)) return value
  if (value !== null) problems.addWrongValue([key], accepted)
  return {}
}
