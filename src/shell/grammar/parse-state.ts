/** What is carried through one reading of a text. */
export interface ParseState {
  /** The text positions refer to: that of the command line, or of a back-quoted script with its own escapes. */
  readonly source: string
  /** Where a script with a text of its own stands in the command line. */
  readonly fixedStart: number | undefined
  readonly depth: number
  readonly count: {
    words: number
    /** Characters in the bodies of quoted here-documents. */
    quoted: number
    /** A text that would run a command where it is taken for the name of a variable. */
    hidden: boolean
    /** Something in it takes texts for names of variables, or for numbers. */
    evaluates: boolean
    why: string | undefined
  }
}

export const NESTING_MAX = 64

/** One error anywhere makes the whole text unjudgeable; the first is the one that is told. */
export function refuseText(job: ParseState, why: string): void {
  job.count.why ??= why
}

/** One level deeper, or undefined (and refused) when that is too deep. */
export function deeper(job: ParseState): ParseState | undefined {
  if (job.count.why !== undefined) return undefined
  if (job.depth < NESTING_MAX) return { ...job, depth: job.depth + 1 }
  refuseText(job, `it is nested more than ${NESTING_MAX} deep`)
  return undefined
}
