import { wordList } from '../../core/word-list.ts'
import type { ActEffect } from '../vocabulary/effect.ts'

export interface LineAct {
  readonly programs: readonly string[]
  /** All arguments, with spaces between them. */
  readonly when: RegExp
  readonly unless?: RegExp
  readonly effect: ActEffect
}

/** Rows of one act: the programs, the pattern, and what it is then said to do where that is not the same for all. */
export function rowsOf(
  effect: ActEffect,
  ...rows: readonly (readonly [programs: string, when: RegExp, what?: string | undefined, unless?: RegExp])[]
): readonly LineAct[] {
  return rows.map(([programs, when, what = effect.what, unless]) => ({
    programs: wordList(programs),
    when,
    effect: { ...effect, what },
    ...(unless === undefined ? {} : { unless }),
  }))
}
