import type { HandlerSpec, Pattern } from './hook.ts'
import type { Json, JsonObject } from './json.ts'

/**
 * A compiled rule: a configuration reader writes it into `Hook.run`, and the handler `rule` runs it. Plain JSON, so
 * that a plan can be cached. It is here because a reader and a handler must not import each other.
 */
export type RuleRun = {
  readonly type: 'rule'
  /** The key of its memory: unique to the rule, and unchanged as long as the rule keeps its id. */
  readonly key: string
  readonly when: RuleCondition
  /** Answers only after everything else matched this often, within the time or within the session. */
  readonly repeated?: { readonly times: number; readonly withinMs?: number }
  readonly once?: boolean
  /** One of the patterns is a regex. Only then the regex engine is loaded. */
  readonly regexes?: boolean
  readonly outcome: RuleOutcome
  /**
   * The entry could not be read, and only its conditions are left: if they match, it fails with this message, and its
   * `onFailure` decides. `isCode`: it would have run a program, which needs trust.
   */
  readonly unread?: { readonly message: string; readonly isCode: boolean }
}

/** Only one of `deny`, `ask`, `rewrite` and `remember` is allowed; `warn` and `context` can be combined with it. */
export type RuleOutcome = {
  readonly deny?: string
  readonly ask?: string
  readonly warn?: string
  readonly context?: string
  /** Dotted names of input fields, and their new values. */
  readonly rewrite?: JsonObject
  /** Added for a `seen` condition: answers nothing and stores under this key that it matched. */
  readonly remember?: string
}

export type RuleCondition =
  | { readonly kind: 'all' | 'any'; readonly of: readonly RuleCondition[] }
  | { readonly kind: 'not'; readonly of: RuleCondition }
  | ShellCondition
  | PathCondition
  | { readonly kind: 'input'; readonly field: string; readonly tests: readonly ValueTest[] }
  | { readonly kind: 'prompt' | 'output'; readonly tests: readonly ValueTest[] }
  | { readonly kind: 'permissionMode' | 'branch'; readonly text: readonly TextTest[] }
  | { readonly kind: 'cwd'; readonly globs: readonly string[] }
  | { readonly kind: 'seen'; readonly key: string }

/** All conditions on one command of the line. */
export type ShellCondition = {
  readonly kind: 'shell'
  readonly command?: readonly TextTest[]
  readonly subcommand?: readonly TextTest[]
  readonly flag?: readonly TextTest[]
  readonly argument?: readonly TextTest[]
}

export type PathCondition = {
  readonly kind: 'path'
  readonly globs: readonly string[]
  readonly access?: 'read' | 'write'
  /** A path that matches none of the globs. */
  readonly outside?: boolean
}

/** A pattern for a text of any length. `size` is the cost of one character of that text, in steps. */
export type TextTest = { readonly pattern: Pattern; readonly size: number }

export type ValueTest =
  | { readonly kind: 'text'; readonly any: readonly TextTest[] }
  | { readonly kind: 'equals'; readonly value: Json }
  | { readonly kind: 'above' | 'below'; readonly number: number }
  | { readonly kind: 'longerThan' | 'shorterThan'; readonly size: number }

/** Undefined if the hook is not a rule. */
export function ruleRunOf(run: HandlerSpec): RuleRun | undefined {
  return run.type === 'rule' ? (run as unknown as RuleRun) : undefined
}

/** Whether somebody wrote this rule: the companion of a `seen` only remembers for another one. */
export function isWrittenRule(run: HandlerSpec): boolean {
  const rule = ruleRunOf(run)
  return rule !== undefined && rule.outcome.remember === undefined
}
