import type { Facts } from '../../../core/facts.ts'
import { isObject, type Json } from '../../../core/json.ts'
import { inspectFile, projectPath } from '../../completion/inspect-file.ts'

/** `.claude/sensitive-files.json` of a project, as patterns. */
export interface SensitiveList {
  /** Also protected, with the place of each in the file. */
  readonly patterns: readonly string[]
  readonly warnings: readonly string[]
  readonly allowed: readonly string[]
  readonly problems: readonly string[]
}

export const LIST_FILE = '.claude/sensitive-files.json'
const PATTERNS_MAX = 500
const PATTERN_CHARACTERS_MAX = 300
const NONE: SensitiveList = { patterns: [], warnings: [], allowed: [], problems: [] }

/**
 * Pattern groups and `custom_patterns` protect, `warnings_only` warns, `allowlist` allows. Every entry is a regular
 * expression; a line that starts with `#` is a comment.
 */
export async function readSensitiveList(facts: Facts): Promise<SensitiveList> {
  const look = await inspectFile(LIST_FILE, facts)
  if (look.kind === 'missing') return NONE
  const text = look.kind === 'file' ? await facts.readText(projectPath(LIST_FILE, facts)) : undefined
  const value = text === undefined ? undefined : parsed(text)
  if (value === undefined || !isObject(value)) {
    return {
      ...NONE,
      problems: [`${LIST_FILE} is not a readable JSON object. Only the built-in list is used.`],
    }
  }
  const { custom_patterns: custom, warnings_only: warnings, allowlist, ...groups } = value
  return {
    patterns: [...textsIn(Object.values(groups)), ...textsIn(custom)].slice(0, PATTERNS_MAX),
    warnings: textsIn(warnings).slice(0, PATTERNS_MAX),
    allowed: textsIn(allowlist).slice(0, PATTERNS_MAX),
    problems: [],
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Groups contain lists, or objects with lists under `patterns`. Descriptions are not patterns. */
function textsIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((each) => {
      if (typeof each !== 'string') return textsIn(each)
      const pattern = each.trim()
      const isPattern = pattern !== '' && !pattern.startsWith('#') && pattern.length <= PATTERN_CHARACTERS_MAX
      return isPattern ? [pattern] : []
    })
  }
  if (value === undefined || !isObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) => (NOTES.test(key) ? [] : textsIn(each)))
}

const NOTES = /^(?:_.*|comment|comments|description|version|name)$/i
