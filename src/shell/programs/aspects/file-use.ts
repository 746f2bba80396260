import type { PathContext } from '../../words/paths.ts'
import type { Word } from '../../words/words.ts'

/** What a program does with the files among its words. A word of which it says nothing counts as read, by guess. */
export interface FileUse {
  /**
   * The words that are no options. `none`: they are text. `metadata`: it asks whether they are there, their size, their
   * rights. `load`: it uses what is in them, and does not show it. `move`: they are gone, and can be read where they went.
   */
  readonly operands?: 'none' | 'read' | 'metadata' | 'write' | 'delete' | 'move' | 'load'
  /** The first of them is a pattern or a program. */
  readonly patternFirst?: true
  /** The last of them is written, the others are read. */
  readonly writesLast?: true
  /** Those that begin so are written: `of=`. */
  readonly writesAfter?: string
  /** Words of letters alone are verbs: `aws eks update-kubeconfig`. */
  readonly verbs?: true
  /** Options whose value is a key or the like, which is only used. */
  readonly keys?: RegExp
  /** Every option of it shows what it is given, a key too. */
  readonly showsKeys?: true
  /** Options whose value is a file that is loaded, not shown. */
  readonly loads?: RegExp
  /** Options whose value is a list of names; every line in it that is none is quoted in an error. */
  readonly quotes?: RegExp
  /** Options whose value is text for people. */
  readonly prose?: RegExp
  /** Options behind which every word is left out, up to the next option. */
  readonly leavesOut?: RegExp
  /** `-o` is not where its output goes. */
  readonly ownLetters?: true
  /** With these words it shows nothing of what is in a file, or only names. */
  readonly onlyAsks?: (words: readonly string[]) => boolean
  /** With these words it changes the files in their place. */
  readonly inPlace?: (words: readonly string[]) => boolean
  /** A file that it takes without being told, where that is so; `given`: an option has named one. */
  readonly settings?: (
    args: readonly Word[],
    given: boolean,
  ) => { readonly file: string; readonly loaded?: true } | undefined
  /** It loads settings for the program behind it, also as `npx dotenv`. */
  readonly loader?: true
  /** It runs programs of packages, of which a loader of settings may be one. */
  readonly runsPackages?: true
  /** Folders from which names among its words count as well: `tar -C`. */
  readonly alsoIn?: (args: readonly Word[], place: PathContext) => readonly (string | undefined)[]
  /** It prints its words. */
  readonly printsWords?: true
  /** The texts that its code quotes may name files. */
  readonly code?: true
}
