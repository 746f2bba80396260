import { printable } from '../../config/sources/problems.ts'
import type { Problem, Result } from '../../core/errors.ts'
import type { Check, DiskFacts, LintFinding, LintMatch } from './check.ts'
import { type ClaudeFile, readClaudeFile } from './claude-file.ts'
import { HANDLER_CHECKS } from './handler-checks.ts'
import { LOADING_CHECKS } from './loading-checks.ts'
import { MATCHER_CHECKS } from './matcher-checks.ts'
import { MODEL_CHECKS } from './model-gates.ts'
import { SCRIPT_CHECKS } from './script-checks.ts'
import { TOGETHER_CHECKS } from './together-checks.ts'

/** Every check, in the order of docs/reference/lint.md. */
export const CHECKS: readonly Check[] = [
  ...LOADING_CHECKS,
  ...MATCHER_CHECKS,
  ...HANDLER_CHECKS,
  ...SCRIPT_CHECKS,
  ...MODEL_CHECKS,
  ...TOGETHER_CHECKS,
]

/** More findings of one kind in one file fill screens without helping. */
const FOUND_MAX = 50

/**
 * Runs all checks over Claude settings, in the order of the files and of their lines. Pure except for `look`.
 */
export function lintClaude(
  texts: readonly { readonly path: string; readonly text: string }[],
  look: DiskFacts,
): readonly LintFinding[] {
  const read = texts.map(({ path, text }) => ({ path, result: readClaudeFile(text, path) }))
  const files = read.flatMap(({ result }) => (result.ok ? [result.value] : []))
  return read.flatMap(({ result }) => (result.ok ? lintFile(result.value, files, look) : unreadable(result)))
}

export function lintFile(
  file: ClaudeFile,
  files: readonly ClaudeFile[],
  look: DiskFacts,
): readonly LintFinding[] {
  const findings = CHECKS.flatMap((check) =>
    check
      .find(file, { look, files })
      .slice(0, FOUND_MAX)
      .map((found) => findingOf(check, found, file)),
  )
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function findingOf({ id, severity, why, instead }: Check, found: LintMatch, file: ClaudeFile): LintFinding {
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
    instead: found.instead === undefined ? instead : printable(found.instead),
    ...(found.replace === undefined ? {} : { replace: found.replace }),
  }
}

function unreadable(result: Result<unknown>): readonly LintFinding[] {
  return result.ok ? [] : [fromProblem(result.problem)]
}

/** A configuration problem as a lint finding: the rule is the error code. */
export function fromProblem(problem: Problem, fix: string = problem.fix ?? ''): LintFinding {
  const { code, file = '', line = 1, column = 1, key, severity = 'error', message, holds, replace } = problem
  const isClaude = code === 'CONFIG_VALUE' && key === undefined && file.endsWith('.json')
  return {
    rule: code,
    severity,
    file,
    line,
    column,
    ...(key === undefined ? {} : { key }),
    what: message,
    why: isClaude ? 'Claude Code does not load such a file, and none of its hooks runs.' : (holds ?? ''),
    instead: fix,
    ...(replace === undefined ? {} : { replace }),
  }
}
