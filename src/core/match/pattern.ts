import { bad, good, type Result } from '../errors.ts'
import type { Pattern } from '../hook.ts'
import { globMatcher, parseGlob } from './glob.ts'

/**
 * Patterns over one word (a tool name, an agent type, the source of a session start): text to data once, data to a
 * function once for each plan. It runs on every hook call, so it must not import the regex engine; a caller that needs
 * one passes it in.
 */
export type Syntax = 'auto' | 'regex' | 'glob' | 'claude'

/** Runs regexes in linear time. Both the pattern and the word may come from an attacker. */
export interface RegexEngine {
  compile(source: string): (word: string) => boolean
}

/**
 * Which engine may run a regex, or why none may. `javascript`: it must mean the same as in JavaScript's RegExp,
 * as for matchers written for another program. `own`: if the linear engine accepts it, that meaning applies.
 */
export type RegexCheck = (source: string, reading: 'own' | 'javascript') => Result<'linear' | 'backtracking'>

export const PATTERN_MAX_CHARACTERS = 4096

/** A longer word is not a name or a path. Globs and linear regexes are not run on it: it counts as a match. */
const WORD_MAX_CHARACTERS = 4096

/** The same limit for the backtracking engine, whose time grows with a power of the length. */
export const BACKTRACKING_WORD_MAX_CHARACTERS = 128

/**
 * Reads a pattern. Undefined in, or as the value out, means "matches everything". Without `check` only names and
 * globs can be read: an unchecked regex is rejected.
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
      // Claude Code ignores the exception of an invalid regex: such a hook never runs there.
      return isJavaScriptRegex(text)
        ? readRegex(text, check(text, 'javascript'))
        : good<Pattern>({ kind: 'never' })
  }
}

/**
 * The pattern as a function. It never throws and never takes exponential time. If it cannot decide, it returns true,
 * because running a hook once too often is the safe error.
 */
export function compilePattern(pattern: Pattern | undefined, engine: RegexEngine): (word: string) => boolean {
  if (pattern === undefined) return () => true
  switch (pattern.kind) {
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
/** A star that a regex could not use as a repeat: `mcp__*`, `*_status`; not `.*`, `(a|b)*`, `[a-z]*`. */
const GLOB_STAR = /(?:^|[^.)\]])\*/

function readNames(text: string, syntax: Syntax): Result<Pattern> {
  const names = [...new Set(parts(text, /[|,]/))]
  if (names.length > 0) return good<Pattern>({ kind: 'names', names })
  // Claude Code compares with the empty name. In our own files an empty list is a mistake and is reported.
  if (syntax === 'claude') return good<Pattern>({ kind: 'never' })
  return bad('CONFIG_MATCHER', `The pattern "${text}" contains no name, so it can never match.`)
}

function readGlobs(text: string): Result<Pattern> {
  const globs = [...new Set(parts(text, '|'))]
  for (const glob of globs) {
    const parsed = parseGlob(glob)
    if (!parsed.ok) return parsed
  }
  return good<Pattern>({ kind: 'glob', globs })
}

function readRegex(source: string, engine: Result<'linear' | 'backtracking'>): Result<Pattern> {
  return engine.ok ? good<Pattern>({ kind: 'regex', source, engine: engine.value }) : engine
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
 * A plan may come from a cache that another version wrote, and an engine may fail: a pattern that does not compile or
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
