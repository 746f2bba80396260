import { bad, good, type Result } from '../../../core/errors.ts'
import { parseGlob } from '../../../core/match/glob.ts'
import { checkRegex } from '../../../core/match/regex.ts'
import { regexCost } from '../../../core/match/regex-cost.ts'
import type { TextTest } from '../../../core/rule.ts'
import { expandBraces } from '../../../shell/grammar/braces.ts'
import { deadBecause, type ShellPart } from './dead-words.ts'

/** Compiles the patterns of one file's rules. All regexes of the file share one limit. */
export interface RuleWords {
  /** Globs for a whole word or text, separated by `|`. */
  globs(text: string, part?: ShellPart): Result<TextTest>
  regex(source: string): Result<TextTest>
}

export function ruleWords(): RuleWords {
  let sizeLeft = REGEX_SIZE_PER_FILE
  return {
    globs: readGlobs,
    regex: (source) => {
      const { size } = regexCost(source)
      // A regex larger than this is rejected before it is compiled.
      sizeLeft -= Math.min(size, REGEX_SIZE_MAX)
      if (sizeLeft < 0) return bad('CONFIG_MATCHER', 'The regexes of this file are too large in total.')
      const engine = checkRegex(source)
      if (!engine.ok) return engine
      if (engine.value !== 'linear') {
        const message = `\`${shorten(source)}\` uses look-around or a back-reference, which rules do not support; write it without them, or use \`all\`, \`any\` and \`not\`.`
        return bad('CONFIG_MATCHER', message)
      }
      return good({ pattern: { kind: 'regex', source, engine: 'linear' }, size: Math.max(size, 1) })
    },
  }
}

/** About half a second to compile them all. */
const REGEX_SIZE_PER_FILE = 100_000
const REGEX_SIZE_MAX = 5_000

function readGlobs(text: string, part?: ShellPart): Result<TextTest> {
  const globs = partsOf(text)
  if (!globs.ok) return globs
  for (const glob of globs.value) {
    const fault = part && deadBecause(part, glob)
    if (fault !== undefined) return refused(glob, fault)
  }
  if (globs.value.every((glob) => !WILD.test(glob))) {
    return good({ pattern: { kind: 'names', names: globs.value }, size: 0 })
  }
  let size = 0
  for (const glob of globs.value) {
    const tokens = parseGlob(glob)
    if (!tokens.ok) return tokens
    size += tokens.value.length
  }
  return good({ pattern: { kind: 'glob', globs: globs.value }, size: Math.max(size, 1) })
}

const WILD = /[*?[]/

/** The path globs in a text: `|` and braces are expanded, and each part is checked. */
export function readPathGlobs(text: string): Result<readonly string[]> {
  const parts = partsOf(text)
  if (!parts.ok) return parts
  const globs: string[] = []
  for (const part of parts.value) {
    if (!hasWholeBraces(part)) return refused(part, 'has an unmatched brace')
    const expanded = expandBraces(part)
    if (expanded === undefined || globs.length + expanded.length > EXPANDED_MAX) {
      return refused(part, `expands to more than ${EXPANDED_MAX} globs`)
    }
    globs.push(...expanded)
  }
  for (const glob of globs) {
    const fault = pathFault(glob)
    if (fault !== undefined) return refused(glob, fault)
    for (const name of glob.split('/')) {
      const tokens = parseGlob(name)
      if (!tokens.ok) return tokens
    }
  }
  return good(globs)
}

const EXPANDED_MAX = 64

/** An unmatched brace would be literal, which is probably a typo. A literal brace is written `[{]`. */
function hasWholeBraces(glob: string): boolean {
  let open = 0
  for (const [sign] of glob.matchAll(/\[[{}]\]|[{}]/g)) {
    if (sign === '{') open += 1
    if (sign === '}') open -= 1
    if (open < 0) return false
  }
  return open === 0
}

function pathFault(glob: string): string | undefined {
  const names = glob.split('/')
  if (glob.startsWith('!')) return 'starts with `!`; use `{ outside: ... }` for paths that do not match'
  if (names.includes('..')) return 'contains `..`; write the path without it'
  if (names.some((name) => name !== '**' && name.includes('**'))) {
    return 'has a `**` that is not alone between slashes'
  }
  if (glob.includes('\u0000')) return 'contains a NUL character'
  return undefined
}

function partsOf(text: string): Result<readonly string[]> {
  const parts = text.split('|').map((part) => part.trim())
  return parts.includes('') ? refused(text, 'has nothing on one side of a `|`') : good([...new Set(parts)])
}

function refused(glob: string, why: string): Result<never> {
  return bad('CONFIG_MATCHER', `The glob \`${shorten(glob)}\` ${why}.`)
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}
