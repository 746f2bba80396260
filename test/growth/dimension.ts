import type { Law } from './law.ts'

/** One curve: what is done, how large what lies around it is, and how its work may grow. */
export interface Dimension {
  readonly id: string
  /** What is done once, in words, for the page of benchmarks. */
  readonly does: string
  /** What there are more and more of. */
  readonly unit: string
  readonly law: Law
  /** Where it ends, if there is a limit: beyond it the work is flat, or the call is refused. */
  readonly upTo?: string
  /**
   * `steps`: functions called and blocks entered, and the elements that built-in functions go through. `bytes`: read and
   * written through system calls.
   */
  readonly counts: 'steps' | 'bytes'
  /** Each ten times the one before. Fewer than three: only the long run counts it. */
  readonly sizes: readonly number[]
  /** More sizes, which take too long for every run. */
  readonly more?: readonly number[]
  /** Builds what is around, which is not counted. `folder` is empty and its own. Returns what is counted. */
  prepare(size: number, folder: string): Promise<Subject> | Subject
}

export interface Subject {
  /** Done once before anything is counted: what a process does once for all its events. */
  readonly warmUp?: () => unknown
  readonly run: () => unknown
  readonly close?: () => void
}
