import type { Word } from '../../words/words.ts'

/** A program that passes its input on, changed or not. */
export interface Filter {
  /** Do we know what it does with these arguments? One of them undefined is one we do not know. */
  readonly options: (args: readonly (string | undefined)[]) => boolean
  /** Undefined passes the input on as it is, known or not. */
  readonly change?: (text: string, args: readonly string[]) => string | undefined
}

/** A program that passes some lines on. */
export interface LineFilter {
  /** With these arguments names come out of a listing: any, or those that hold some letters. */
  readonly ofListing?: (
    args: readonly (string | undefined)[],
  ) => { readonly holding?: string | undefined } | undefined
  /** With these arguments lines of a file come out, it is not said which. */
  readonly ofFile?: (args: readonly Word[]) => boolean
  /** Lines of its input as well. */
  readonly ofInput?: true
}
