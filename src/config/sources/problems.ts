import type * as z from 'zod'
import type { ErrorCode, Problem } from '../../core/errors.ts'
import { isObject, type Json } from '../../core/json.ts'
import { suggest } from '../../core/suggest.ts'
import { keyPath, locate, type Path } from './locate.ts'
import type { YamlJson } from './to-json.ts'

/** Collects the problems of one file, each with its location. */
export interface Problems {
  /** `part`: point at the key instead of its value. */
  add(code: ErrorCode, path: Path, message: string, more?: { part?: 'key'; severity?: 'warning' }): void
  /** The value at `path` is wrong; `accepted` is the end of "expected ...". */
  addWrongValue(path: Path, accepted: string): void
  /** The last key of `path` is not in `accepted`; `what` is the end of "... is not ...". */
  addUnknownKey(path: Path, what: string, accepted: readonly string[]): void
  /** All errors of a schema for the value at `path`. */
  addIssues(issues: readonly z.core.$ZodIssue[], path: Path): void
  /** How many there are now. With `since`: what an entry added. */
  mark(): number
  /** The errors added after `mark`, in the order they were found. */
  since(mark: number): readonly Problem[]
  /** Adds to the first error after `mark` which calls are stopped until it is corrected. */
  markHeld(mark: number, holds: string): void
  /** In the order of the file. */
  list(): readonly Problem[]
}

export function problemsOf(yaml: YamlJson, file: string): Problems {
  const problems: Problem[] = []
  let unlisted = 0
  const addAll = (found: () => readonly Explained[]): void => {
    if (problems.length >= PROBLEMS_MAX) {
      unlisted += 1
      return
    }
    for (const { code, path, message, part, severity, replace } of withoutEchoes(found())) {
      const place = { file, ...locate(yaml, path, part), key: printable(keyPath(path)) }
      problems.push({
        code,
        message: printable(message),
        ...place,
        ...(severity === undefined ? {} : { severity }),
        ...(replace === undefined ? {} : { replace }),
      })
    }
  }
  return {
    add: (code, path, message, more = {}) => addAll(() => [{ code, path, message, ...more }]),
    addWrongValue: (path, accepted) => addAll(() => [wrongValue(accepted, [], path, yaml.json)]),
    addUnknownKey: (path, what, accepted) => addAll(() => [unknownKey(what, accepted, path)]),
    addIssues: (issues, path) => addAll(() => issues.flatMap((issue) => explain(issue, path, yaml.json))),
    mark: () => problems.length,
    since: (mark) => problems.slice(mark).filter(({ severity }) => severity !== 'warning'),
    markHeld: (mark, holds) => {
      const first = problems.findIndex(({ severity }, index) => index >= mark && severity !== 'warning')
      const problem = problems[first]
      if (problem !== undefined && problem.holds === undefined) problems[first] = { ...problem, holds }
    },
    list: () => {
      const sorted = problems.toSorted((a, b) => lineOf(a) - lineOf(b) || columnOf(a) - columnOf(b))
      return unlisted === 0 ? sorted : [...sorted, tooMany(unlisted, file)]
    },
  }
}

/** "Did you mean ...?" with a space before it, or an empty text. */
export function didYouMean(word: string, accepted: readonly string[]): string {
  const meant = suggest(word, accepted)
  return meant === undefined ? '' : ` Did you mean \`${meant}\`?`
}

/** A description of a value: "the text `abc`", "an empty value". */
export function nameValue(value: Json | undefined): string {
  if (value === null || value === undefined) return 'an empty value'
  if (typeof value === 'string') return value === '' ? 'an empty text' : `the text \`${cut(value)}\``
  if (typeof value === 'number') return `the number \`${value}\``
  if (typeof value === 'boolean') return `\`${value}\``
  return `the ${isObject(value) ? 'mapping' : 'list'} \`${cut(JSON.stringify(value))}\``
}

/** Text of a file must not move the cursor or change the text direction in a terminal. */
export function printable(text: string): string {
  return cut(text, MESSAGE_MAX_CHARACTERS).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const MESSAGE_MAX_CHARACTERS = 800
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** A longer list does not help. Above the limit, problems are not located either, because that takes time. */
const PROBLEMS_MAX = 100

/** A longer list is only given if there is no better hint. */
const ACCEPTED_MAX = 12

interface Explained {
  readonly code: ErrorCode
  readonly path: Path
  readonly message: string
  readonly part?: 'key'
  readonly severity?: 'warning'
  readonly isMissing?: true
  /** The key that was probably intended. */
  readonly meant?: Path
  readonly replace?: NonNullable<Problem['replace']>
}

/** `comand: x` is one mistake: the missing `command` is not reported as well. */
function withoutEchoes(found: readonly Explained[]): readonly Explained[] {
  const meant = new Set(found.flatMap(({ meant }) => (meant === undefined ? [] : keyPath(meant))))
  return found.filter(({ path, isMissing }) => !(isMissing && meant.has(keyPath(path))))
}

/** The messages for one issue. In our schemas `issue.message` says what is accepted. */
function explain(issue: z.core.$ZodIssue, base: Path, json: Json): readonly Explained[] {
  const path = [...base, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey('a key here', issue.message.split(', '), [...path, key]))
    case 'invalid_key': {
      const accepted = issue.issues[0]?.message ?? issue.message
      const key = cut(String(path.at(-1)))
      return [{ code: 'CONFIG_KEY', path, message: `\`${key}\` is not ${accepted}.`, part: 'key' }]
    }
    case 'invalid_union': {
      const branch = meantBranch(issue.errors)
      if (branch !== undefined) return branch.flatMap((inner) => explain(inner, path, json))
      return [wrongValue(issue.message, issue.errors.flat().flatMap(wordsOf), path, json)]
    }
    default:
      return [wrongValue(issue.message, wordsOf(issue), path, json)]
  }
}

/** Of a union, the branch for the type of the value; of several, the one with the fewest problems. */
function meantBranch(
  branches: readonly (readonly z.core.$ZodIssue[])[],
): readonly z.core.$ZodIssue[] | undefined {
  return branches
    .filter((issues) => !issues.some(isOtherKind))
    .toSorted((a, b) => complaints(a) - complaints(b))[0]
}

function isOtherKind(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
}

function complaints(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
}

function wordsOf(issue: z.core.$ZodIssue): readonly string[] {
  return issue.code === 'invalid_value' ? issue.values.map(String) : []
}

function unknownKey(what: string, accepted: readonly string[], path: Path): Explained {
  const key = String(path.at(-1))
  const meant = suggest(key, accepted)
  const isLong = accepted.length > ACCEPTED_MAX && meant !== undefined
  const list = isLong ? '' : ` Accepted: ${accepted.join(', ')}.`
  const message = `\`${cut(key)}\` is not ${what}.${didYouMean(key, accepted)}${list}`
  const meantPath =
    meant === undefined ? {} : { meant: [...path.slice(0, -1), meant], replace: { old: key, with: meant } }
  return { code: 'CONFIG_KEY', path, message, part: 'key', ...meantPath }
}

function wrongValue(accepted: string, words: readonly string[], path: Path, json: Json): Explained {
  const value = valueAt(json, path)
  const expected = `expected ${accepted}.`
  if (value === undefined) {
    const message = `\`${String(path.at(-1))}\` is missing; ${expected}`
    return { code: 'CONFIG_VALUE', path, message, isMissing: true }
  }
  const name = nameValue(value)
  const isWord = typeof value === 'string' || value === false
  const meant = isWord ? didYouMean(String(value), words) : ''
  const word = isWord ? suggest(String(value), words) : undefined
  const message = `${name[0]?.toUpperCase()}${name.slice(1)} is not accepted here; ${expected}${meant}`
  const replace = word === undefined ? {} : { replace: { old: String(value), with: word } }
  return { code: 'CONFIG_VALUE', path, message, ...replace }
}

function valueAt(json: Json, path: Path): Json | undefined {
  let value: Json | undefined = json
  for (const step of path) {
    if (isObject(value)) value = Object.hasOwn(value, step) ? value[step] : undefined
    else if (Array.isArray(value) && typeof step === 'number') value = value[step] as Json | undefined
    else return undefined
  }
  return value
}

function cut(text: string, charactersMax = 60): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}...` : text
}

function tooMany(unlisted: number, file: string): Problem {
  return { code: 'CONFIG_VALUE', message: `${unlisted} more problems are not listed.`, file }
}

function lineOf(problem: Problem): number {
  return problem.line ?? 0
}

function columnOf(problem: Problem): number {
  return problem.column ?? 0
}
