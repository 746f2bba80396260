/**
 * A command line as we read it: only what deciding needs. The grammar's own tree never leaves parse.ts, so that
 * another parser can stand behind it. Offsets count UTF-16 units in the text that was parsed.
 */
export type Tree =
  | SimpleTree
  /** `a; b`, a newline: one after the other in the same shell. */
  | { readonly kind: 'sequence'; readonly steps: readonly Tree[] }
  /** `a && b || c`: the operator stands before its step. */
  | {
      readonly kind: 'andOr'
      readonly steps: readonly { readonly operator: '&&' | '||'; readonly body: Tree }[]
    }
  | { readonly kind: 'pipeline'; readonly stages: readonly Tree[] }
  /** `( … )`, `… &`, `coproc …`: what it changes in the shell ends with it. */
  | { readonly kind: 'subshell'; readonly how: string; readonly body: Tree }
  /** `if`, `case`: the test runs, then at most one of the options. */
  | {
      readonly kind: 'choice'
      readonly how: string
      readonly test: Tree
      readonly options: readonly Tree[]
      /** One of the options runs for certain (there is an `else`). */
      readonly total: boolean
    }
  | {
      readonly kind: 'loop'
      readonly how: string
      readonly test: Tree
      readonly body: Tree
      /** `for NAME in WORDS`; no words means the positional parameters. */
      readonly each?: { readonly name: string; readonly words: readonly WordTree[] | undefined }
    }
  | { readonly kind: 'function'; readonly name: string; readonly body: Tree }
  | { readonly kind: 'redirected'; readonly body: Tree; readonly redirects: readonly RedirectTree[] }
  /** `[[ … ]]`, `(( … ))`, the subject of a `case`: nothing runs but what is substituted into it. */
  | { readonly kind: 'words'; readonly words: readonly WordTree[]; readonly assigns: boolean }

export interface SimpleTree extends Span {
  readonly kind: 'simple'
  readonly assignments: readonly AssignmentTree[]
  /** The name and the arguments. */
  readonly words: readonly WordTree[]
  readonly redirects: readonly RedirectTree[]
}

export interface Span {
  readonly start: number
  readonly end: number
  readonly source: string
}

export interface AssignmentTree {
  readonly name: string
  readonly append: boolean
  /** `a[i]=…` */
  readonly index: WordTree | undefined
  readonly value: WordTree | { readonly elements: readonly WordTree[] }
}

export interface RedirectTree {
  /** `>`, `>>`, `<`, `<<`, `<<<`, `&>`, … */
  readonly operator: string
  /** The file descriptor, where one is written. */
  readonly descriptor: number | undefined
  /** The file, or the text of a here-document or here-string. */
  readonly target: WordTree
}

export interface WordTree {
  readonly source: string
  readonly parts: readonly PartTree[]
  /** Set when braces make several words of it. Commands inside are found through `parts`. */
  readonly alternatives?: readonly WordTree[]
  /** `NAME=value` after a command such as `export` or `alias`. */
  readonly assignment?: AssignmentTree
}

export type PartTree =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'glob'; readonly text: string; readonly nested: readonly WordTree[] }
  | {
      readonly kind: 'variable'
      readonly source: string
      readonly name: string
      readonly quoted: boolean
      readonly prefix: '!' | '#' | undefined
      readonly index: WordTree | undefined
      /** `:-`, `+`, `%`, `/`, …; `?other` for operations whose result is not worked out. */
      readonly operator: string | undefined
      readonly operands: readonly WordTree[]
    }
  | {
      readonly kind: 'commands'
      /** `$(…)`, `<(…)` or `>(…)`. */
      readonly how: string
      readonly source: string
      readonly quoted: boolean
      readonly body: Tree
    }
  /** Known only at run time: arithmetic, too many braces. `nested` may still hold commands. */
  | {
      readonly kind: 'unknown'
      readonly source: string
      readonly quoted: boolean
      readonly nested: readonly WordTree[]
    }
