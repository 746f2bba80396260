import type { ReadMatcher } from '../matcher.ts'
import type { Problems } from '../problems.ts'
import type { SourceFile } from '../source.ts'
import type { YamlJson } from '../to-json.ts'

/** What is needed to read the hooks of one file. */
export interface MassGenReader {
  readonly yaml: YamlJson
  readonly file: SourceFile
  readonly problems: Problems
  readonly readMatcher: ReadMatcher
  /** Whether the file asks for more events than MassGen has. */
  readonly allowsAllEvents: boolean
}
