import type { ReadMatcher } from '../matcher.ts'
import type { Problems } from '../problems.ts'
import type { SourceFile } from '../source.ts'
import type { YamlJson } from '../to-json.ts'

/** What reading the hooks of one file needs. */
export interface Reading {
  readonly yaml: YamlJson
  readonly file: SourceFile
  readonly problems: Problems
  readonly readMatcher: ReadMatcher
  /** The file asks for more events than MassGen has. */
  readonly allowsAllEvents: boolean
}
