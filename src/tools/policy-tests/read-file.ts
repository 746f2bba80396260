import { locate, type Path } from '../../config/sources/locate.ts'
import { parseYaml } from '../../config/sources/parse-yaml.ts'
import { problemsOf } from '../../config/sources/problems.ts'
import { toJson, type YamlJson } from '../../config/sources/to-json.ts'
import type { Problem } from '../../core/errors.ts'
import { isObject, type Json, textAt } from '../../core/json.ts'
import { type CaseConfig, caseSchema, testFileSchema } from './schema.ts'

/** One case with its location, or what is wrong with it. */
export type ReadCase = CasePlace &
  ({ readonly config: CaseConfig } | { readonly problems: readonly Problem[] })

export interface CasePlace {
  readonly file: string
  readonly line: number
  readonly name: string
}

/**
 * The cases of a file, in order. A wrong case counts as failed, and so does a file that cannot be read, as
 * one case: a test that did not run has not passed. Pure.
 */
export function readTestFile(source: string, file: string): readonly ReadCase[] {
  const document = parseYaml(source)
  const yaml = document.ok ? toJson(document.value) : document
  if (!yaml.ok) return [wholeFile(file, [{ ...yaml.problem, file }])]
  const { json } = yaml.value
  const problems = problemsOf(yaml.value, file)
  if (json === null) return []
  if (!isObject(json)) problems.addWrongValue([], 'a mapping with `cases`')
  const top = isObject(json) ? json : {}
  for (const key of Object.keys(top))
    if (!KEYS.includes(key)) problems.addUnknownKey([key], 'a key here', KEYS)
  if (top.version !== undefined && top.version !== 1) problems.addWrongValue(['version'], 'the number 1')
  const { cases = null } = top
  if (cases !== null && !Array.isArray(cases)) {
    problems.addWrongValue(['cases'], 'a list of cases, each starting with `- `')
  }
  const listed = problems.list()
  return [
    ...(listed.length === 0 ? [] : [wholeFile(file, listed)]),
    ...(Array.isArray(cases) ? cases.slice(0, CASES_MAX) : []).map((item: Json, index) =>
      readCase(item, ['cases', index], yaml.value, file),
    ),
  ]
}

const KEYS: readonly string[] = Object.keys(testFileSchema.shape)
/** More cases than a person would read the results of. */
const CASES_MAX = 5_000

function wholeFile(file: string, problems: readonly Problem[]): ReadCase {
  return { file, line: problems[0]?.line ?? 1, name: 'the file as a whole', problems }
}

function readCase(item: Json, path: Path, yaml: YamlJson, file: string): ReadCase {
  const { line } = locate(yaml, path)
  const name = (isObject(item) ? textAt(item, 'name') : undefined) ?? `case ${Number(path[1]) + 1}`
  const parsed = caseSchema.safeParse(item)
  if (parsed.success) return { file, line, name, config: parsed.data }
  const problems = problemsOf(yaml, file)
  problems.addIssues(parsed.error.issues, path)
  return { file, line, name, problems: problems.list() }
}
