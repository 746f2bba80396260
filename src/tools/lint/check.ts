import type { ClaudeFile } from './claude-file.ts'

/**
 * One mistake that Claude settings can have: a pure function and its description. The examples are its tests,
 * and part of docs/reference/lint.md.
 */
export interface Check {
  readonly id: string
  readonly severity: Severity
  readonly title: string
  /** What the real program does. */
  readonly why: string
  /** What to write instead. */
  readonly instead: string
  readonly bad: LintExample
  readonly good: LintExample
  find(file: ClaudeFile, around: LintContext): readonly LintMatch[]
}

export type Severity = 'error' | 'warning'

/** Settings as JSON text, and the scripts that they name. */
export interface LintExample {
  readonly settings: string
  /** By path from the project; a script that starts with `#!` is executable. */
  readonly scripts?: Readonly<Record<string, string>>
}

/** What a check may know in addition to its file. */
export interface LintContext {
  readonly look: DiskFacts
  /** All files that are checked together, including this one. */
  readonly files: readonly ClaudeFile[]
}

/** The parts of the disk that a check may read. */
export interface DiskFacts {
  readonly project: string
  readonly home: string
  /** Undefined: the file does not exist. Empty for a file that is too large or not text. */
  script(path: string): { readonly text: string; readonly isExecutable: boolean } | undefined
  /** The first syntax error of a module, found without running it. Missing: this cannot be checked here. */
  syntaxError?(path: string): string | undefined
}

export interface LintMatch {
  /** The path to the value, from the root of the file. */
  readonly path: readonly (string | number)[]
  /** A line of the text, if no value belongs to the finding. */
  readonly line?: number
  /** One sentence: what is wrong here. */
  readonly what: string
  /** The one right correction. */
  readonly replace?: Replacement
  /** What to write instead here, where that can be said exactly. */
  readonly instead?: string
}

/** At the place of the finding stands `old`. */
export interface Replacement {
  readonly old: string
  readonly with: string
}

/** A finding with the full description of its rule. */
export interface LintFinding {
  readonly rule: string
  readonly severity: Severity
  readonly file: string
  readonly line: number
  readonly column: number
  readonly key?: string
  readonly what: string
  readonly why: string
  readonly instead: string
  readonly replace?: Replacement
}
