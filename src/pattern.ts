import { bad, good, type Result } from './errors.ts'
import { globMatcher, parseGlob } from './glob.ts'
import type { Pattern } from './hook.ts'

/**
 * Patterns over one word (a tool name, an agent type, the source of a session start): text to data once, data to a
 * function once per plan. It is on the hook path, so it must not import the regex engine; whoever needs one hands
 * it in.
 */
export type Syntax = 'auto' | 'regex' | 'glob' | 'claude'

/** Runs regexes in linear time. Both the compile and the word may be hostile. */
export interface RegexEngine {
  compile(source: string): (word: string) => boolean
}

/**
 * Which engine may run a regex, or why none may. `javascript`: it must mean what JavaScript's RegExp makes of it,
 * as for matchers written for another program; `own`: where the linear engine reads it, that reading holds.
 */
export type RegexCheck = (source: string, reading: 'own' | 'javascript') => Result<'linear' | 'backtracking'>

export const PATTERN_MAX_CHARACTERS = 4096

/** A longer word is no name and no path. Globs and linear regexes are not run on it: it counts as a match. */
const WORD_MAX_CHARACTERS = 4096

/** The same for the engine that backtracks, whose time grows with a power of the length. */
export const BACKTRACKING_WORD_MAX_CHARACTERS = 128

/**
 * Reads a pattern. Undefined in, or as the value out, means "matches everything". Without `check` only names and
 * globs can be read: an unchecked regex is refused, never guessed at.
 */
export function parsePattern(
  text: string | undefined,
  syntax: Syntax,
  check: RegexCheck = refuseRegex,
): Result<Pattern | undefined> {
  if (text === undefined || MATCHES_ALL.has(text)) return good(undefined)
  if (text.length > PATTERN_MAX_CHARACTERS) {
    return bad(
      'CONFIG_MATCHER',
      `The pattern is ${text.length} characters long; at most ${PATTERN_MAX_CHARACTERS} are read.`,
    )
  }
  if (ONLY_NAMES.test(text)) return readNames(text, syntax)
  switch (syntax) {
    case 'glob':
      return readGlobs(text)
    case 'auto':
      return GLOB_STAR.test(text) ? readGlobs(text) : readRegex(text, check(text, 'own'))
    case 'regex':
      return readRegex(text, check(text, 'javascript'))
    case 'claude':
      // Claude Code catches the exception of an invalid regex and goes on: such a hook never fires there.
      return isJavaScriptRegex(text)
        ? readRegex(text, check(text, 'javascript'))
        : good<Pattern>({ is: 'never' })
  }
}

/**
 * The pattern as a function. It never throws and never takes exponential time. What cannot be decided counts as a
 * match, because a hook that runs once too often is the safe mistake.
 */
export function compilePattern(pattern: Pattern | undefined, engine: RegexEngine): (word: string) => boolean {
  if (pattern === undefined) return () => true
  switch (pattern.is) {
    case 'names':
      return namesMatcher(pattern.names)
    case 'glob':
      return globsMatcher(pattern.globs)
    case 'regex':
      return pattern.engine === 'linear'
        ? upTo(WORD_MAX_CHARACTERS, () => engine.compile(pattern.source))
        : upTo(BACKTRACKING_WORD_MAX_CHARACTERS, () => {
            const regex = new RegExp(pattern.source)
            return (word) => regex.test(word)
          })
    case 'never':
      return () => false
  }
}

function isJavaScriptRegex(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}

const MATCHES_ALL: ReadonlySet<string> = new Set(['', '*', '.*'])
const ONLY_NAMES = /^[A-Za-z0-9_ ,|-]+$/
/** A star that repeats nothing a regex would repeat: `mcp__*`, `*_status`; not `.*`, `(a|b)*`, `[a-z]*`. */
const GLOB_STAR = /(?:^|[^.)\]])\*/

function readNames(text: string, syntax: Syntax): Result<Pattern> {
  const names = [...new Set(parts(text, /[|,]/))]
  if (names.length > 0) return good<Pattern>({ is: 'names', names })
  // Claude Code compares with the empty name; in our own files a list of nothing is a slip, and is said.
  if (syntax === 'claude') return good<Pattern>({ is: 'never' })
  return bad('CONFIG_MATCHER', `The pattern "${text}" names nothing, so it could never match.`)
}

function readGlobs(text: string): Result<Pattern> {
  const globs = [...new Set(parts(text, '|'))]
  for (const glob of globs) {
    const parsed = parseGlob(glob)
    if (!parsed.ok) return parsed
  }
  return good<Pattern>({ is: 'glob', globs })
}

function readRegex(source: string, engine: Result<'linear' | 'backtracking'>): Result<Pattern> {
  return engine.ok ? good<Pattern>({ is: 'regex', source, engine: engine.value }) : engine
}

function refuseRegex(source: string): Result<never> {
  return bad('CONFIG_MATCHER', `\`${source}\` is a regex; only plain names and globs can be used here.`)
}

function parts(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function namesMatcher(names: readonly string[]): (word: string) => boolean {
  const [only] = names
  if (names.length === 1) return (word) => word === only
  const set = new Set(names)
  return (word) => set.has(word)
}

function globsMatcher(globs: readonly string[]): (word: string) => boolean {
  const matchers = globs.map((glob) =>
    upTo(WORD_MAX_CHARACTERS, () => {
      const parsed = parseGlob(glob)
      return parsed.ok ? globMatcher(parsed.value) : () => true
    }),
  )
  return (word) => matchers.some((matches) => matches(word))
}

/**
 * A plan may come from a cache another version wrote, and an engine may fail: a pattern that does not compile or
 * run matches.
 */
function upTo(charactersMax: number, compile: () => (word: string) => boolean): (word: string) => boolean {
  const matches = orMatch(compile, () => true)
  return (word) => word.length > charactersMax || orMatch(() => matches(word), true)
}

function orMatch<T>(run: () => T, instead: T): T {
  try {
    return run()
  } catch {
    return instead
  }
}
