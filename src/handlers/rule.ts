import type { Pattern } from '../hook.ts'
import type { Json, JsonObject } from '../json.ts'

/**
 * A compiled rule: what a configuration file's reader writes into `Hook.run` and the handler `rule` runs. Plain
 * JSON, so that a plan can be cached; types alone, because a reader and a handler must not know each other.
 */
export type RuleRun = {
  readonly type: 'rule'
  /** What its memory is kept under: no other rule has it, and it stays while the rule keeps its id. */
  readonly key: string
  readonly when: Condition
  /** Speaks only when everything else held this often, within the time or within the session. */
  readonly repeated?: { readonly times: number; readonly withinMs?: number }
  readonly once?: boolean
  /** One of the patterns is a regex: only then the engine for them is loaded. */
  readonly regexes?: boolean
  readonly outcome: Outcome
}

/** `deny`, `ask`, `rewrite` and `remember` exclude each other; `warn` and `context` may stand beside. */
export type Outcome = {
  readonly deny?: string
  readonly ask?: string
  readonly warn?: string
  readonly context?: string
  /** Dotted names of input fields to their new values. */
  readonly rewrite?: JsonObject
  /** The companion of a `seen`: says nothing, keeps under this key that it held. */
  readonly remember?: string
}

export type Condition =
  | { readonly is: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly is: 'not'; readonly of: Condition }
  | ShellCondition
  | PathCondition
  | { readonly is: 'input'; readonly field: string; readonly tests: readonly ValueTest[] }
  | { readonly is: 'prompt' | 'output'; readonly tests: readonly ValueTest[] }
  | { readonly is: 'permissionMode' | 'branch'; readonly text: readonly TextTest[] }
  | { readonly is: 'cwd'; readonly globs: readonly string[] }
  | { readonly is: 'seen'; readonly key: string }

/** All on one command of the line. */
export type ShellCondition = {
  readonly is: 'shell'
  readonly command?: readonly TextTest[]
  readonly subcommand?: readonly TextTest[]
  readonly flag?: readonly TextTest[]
  readonly argument?: readonly TextTest[]
}

export type PathCondition = {
  readonly is: 'path'
  readonly globs: readonly string[]
  readonly access?: 'read' | 'write'
  /** A path that none of the globs holds. */
  readonly outside?: boolean
}

/** A pattern over a text of any length. `size` is what one character of that text may cost, in steps. */
export type TextTest = { readonly pattern: Pattern; readonly size: number }

export type ValueTest =
  | { readonly is: 'text'; readonly any: readonly TextTest[] }
  | { readonly is: 'equals'; readonly value: Json }
  | { readonly is: 'above' | 'below'; readonly number: number }
  | { readonly is: 'longerThan' | 'shorterThan'; readonly size: number }
