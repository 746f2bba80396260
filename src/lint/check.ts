import type { ClaudeFile } from './claude-file.ts'

/**
 * One thing that can be wrong in anybody's Claude settings: a pure function and what it says about itself. Its
 * examples are its tests, and make its part of docs/reference/lint.md.
 */
export interface Check {
  readonly id: string
  readonly severity: Severity
  readonly title: string
  /** What happens in the real program. */
  readonly why: string
  /** What to write instead. */
  readonly instead: string
  readonly bad: Example
  readonly good: Example
  find(file: ClaudeFile, around: Around): readonly Found[]
}

export type Severity = 'error' | 'warning'

/** Settings as JSON text, and the scripts they name. */
export interface Example {
  readonly settings: string
  /** By path from the project; one that starts with `#!` is executable. */
  readonly scripts?: Readonly<Record<string, string>>
}

/** What a check may know beside its file. */
export interface Around {
  readonly look: Look
  /** All files that are linted together, this one too. */
  readonly files: readonly ClaudeFile[]
}

/** The disk, as far as a check may ask. */
export interface Look {
  readonly project: string
  readonly home: string
  /** Undefined: there is no such file. The text of one that is too large, or no text, is empty. */
  script(path: string): { readonly text: string; readonly isExecutable: boolean } | undefined
}

export interface Found {
  /** The way to the value, from the whole file. */
  readonly path: readonly (string | number)[]
  /** A line of the text, where no value stands for it. */
  readonly line?: number
  /** One sentence: what is there. */
  readonly what: string
}

/** A found thing with everything said about it. */
export interface Finding {
  readonly rule: string
  readonly severity: Severity
  readonly file: string
  readonly line: number
  readonly column: number
  readonly key?: string
  readonly what: string
  readonly why: string
  readonly instead: string
}
