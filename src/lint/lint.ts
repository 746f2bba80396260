import type { Problem, Result } from '../errors.ts'
import { printable } from '../sources/problems.ts'
import type { Check, Finding, Found, Look } from './check.ts'
import { type ClaudeFile, readClaudeFile } from './claude-file.ts'
import { HANDLER_CHECKS } from './handler-checks.ts'
import { LOADING_CHECKS } from './loading-checks.ts'
import { MATCHER_CHECKS } from './matcher-checks.ts'
import { SCRIPT_CHECKS } from './script-checks.ts'
import { TOGETHER_CHECKS } from './together-checks.ts'

/** Every check, in the order of docs/reference/lint.md. */
export const CHECKS: readonly Check[] = [
  ...LOADING_CHECKS,
  ...MATCHER_CHECKS,
  ...HANDLER_CHECKS,
  ...SCRIPT_CHECKS,
  ...TOGETHER_CHECKS,
]

/** More of one kind in one file fill screens and help nobody. */
const FOUND_MAX = 50

/** All checks over Claude settings, in the order of the files and of their lines. Pure but for `look`. */
export function lintClaude(
  texts: readonly { readonly path: string; readonly text: string }[],
  look: Look,
): readonly Finding[] {
  const read = texts.map(({ path, text }) => ({ path, result: readClaudeFile(text, path) }))
  const files = read.flatMap(({ result }) => (result.ok ? [result.value] : []))
  return read.flatMap(({ result }) => (result.ok ? lintFile(result.value, files, look) : unreadable(result)))
}

function lintFile(file: ClaudeFile, files: readonly ClaudeFile[], look: Look): readonly Finding[] {
  const findings = CHECKS.flatMap((check) =>
    check
      .find(file, { look, files })
      .slice(0, FOUND_MAX)
      .map((found) => findingOf(check, found, file)),
  )
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function findingOf({ id, severity, why, instead }: Check, found: Found, file: ClaudeFile): Finding {
  const { line = 1, column = 1, key } = file.place(found.path)
  return {
    rule: id,
    severity,
    file: file.path,
    line: found.line ?? line,
    column: found.line === undefined ? column : 1,
    ...(key === undefined ? {} : { key: printable(key) }),
    what: printable(found.what),
    why,
    instead,
  }
}

function unreadable(result: Result<unknown>): readonly Finding[] {
  return result.ok ? [] : [fromProblem(result.problem)]
}

/** A problem of a configuration, as lint tells it: the rule is the code. */
export function fromProblem(problem: Problem, fix: string = problem.fix ?? ''): Finding {
  const { code, file = '', line = 1, column = 1, key, severity = 'error', message } = problem
  const isClaude = code === 'CONFIG_VALUE' && key === undefined && file.endsWith('.json')
  return {
    rule: code,
    severity,
    file,
    line,
    column,
    ...(key === undefined ? {} : { key }),
    what: message,
    why: isClaude ? 'Claude Code does not load such a file, and none of its hooks runs.' : '',
    instead: fix,
  }
}
