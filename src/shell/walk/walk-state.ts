import type { Shell, ShellFunction } from '../expand/state.ts'
import type { Span, Tree } from '../grammar/tree.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { Input } from '../vocabulary/launch.ts'

/** The work of one analysis, shared by every part of the walk. */
export interface Walk {
  readonly found: SimpleCommand[]
  readonly functions: ShellFunction[]
  /** What runs when a shell ends, with what its variables hold then. */
  readonly deferred: (() => void)[]
  /** Set once, when the command line turns out not to be judgeable. */
  readonly status: { why: string | undefined }
  readonly budget: { left: number }
  /** Follows a tree: what is invoked may hold code of its own. */
  walk(tree: Tree, shell: Shell, here: Here, job: Walk): void
}

/** Where the walk stands. */
export interface Here {
  readonly via: readonly string[]
  readonly input: Input & { readonly from?: readonly SimpleCommand[] }
  /** How many code strings deep. */
  readonly codeDepth: number
  /** The functions being followed; a function that calls itself is followed once. */
  readonly calls: readonly string[]
  /** The outermost command, when this is code inside it. */
  readonly outer?: Span
  /** The other machine or container this runs on. */
  readonly remote?: string
}
