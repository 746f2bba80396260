import { bad, good, type Result } from '../../core/errors.ts'
import type { Pattern } from '../../core/hook.ts'
import { parsePattern, type RegexCheck, type Syntax } from '../../core/match/pattern.ts'
import { checkRegex } from '../../core/match/regex.ts'
import { regexCost } from '../../core/match/regex-cost.ts'

/** A matcher as a source needs it: the pattern, and a warning for its author. */
interface Matcher {
  /** Undefined: matches everything. */
  readonly pattern: Pattern | undefined
  /** The matcher is valid, but probably does not do what was intended. */
  readonly warning?: string
}

export type ReadMatcher = (text: string, syntax: Syntax) => Result<Matcher>

/**
 * Reads the matchers of one file. A file may be hostile, and each regex alone may be just below the limit, so all
 * regexes of a file share one limit. The same text is read once.
 */
export function matcherReader(): ReadMatcher {
  const known = new Map<string, Result<Matcher>>()
  let sizeLeft = REGEX_SIZE_PER_FILE
  const check: RegexCheck = (source, reading) => {
    sizeLeft -= regexCost(source).size
    return sizeLeft < 0
      ? bad('CONFIG_MATCHER', 'The regexes of this file are too large in total; use names or globs.')
      : checkRegex(source, reading)
  }
  return (text, syntax) => {
    const key = `${syntax} ${text}`
    const result = known.get(key) ?? readMatcher(text, syntax, check)
    known.set(key, result)
    return result
  }
}

/** About half a second to compile them all. */
const REGEX_SIZE_PER_FILE = 100_000

function readMatcher(text: string, syntax: Syntax, check: RegexCheck): Result<Matcher> {
  const parsed = parsePattern(text, syntax, check)
  if (!parsed.ok) return parsed
  const pattern = parsed.value
  const warning = pattern === undefined ? undefined : doubt(text, pattern)
  return good({ pattern, ...(warning === undefined ? {} : { warning }) })
}

function doubt(text: string, pattern: Pattern): string | undefined {
  switch (pattern.kind) {
    case 'never':
      return `\`${text}\` is not a valid regex, so this never matches anything.`
    case 'names': {
      const server = pattern.names.find((name) => SERVER_ALONE.test(name))
      return server === undefined
        ? undefined
        : `\`${server}\` is the name of a server, not of a tool; its tools are \`${server}__.*\`.`
    }
    case 'glob': {
      const sign = REGEX_SIGN.exec(text)?.[0]
      return sign === undefined
        ? undefined
        : `\`${text}\` is read as a glob, where \`${sign}\` is a literal character; in a regex write \`.*\` for \`*\`.`
    }
    case 'regex':
      return pattern.engine === 'linear'
        ? undefined
        : `\`${text}\` needs the slower regex engine, which is not used for names over 128 characters; such names always match.`
  }
}

const SERVER_ALONE = /^mcp__(?:(?!__).)+$/
const REGEX_SIGN = /[\\^$(){}+]/
