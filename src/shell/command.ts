import { lastPart, mayMatch } from './patterns.ts'
import type { Word } from './words.ts'

/** One program started once, as far as that can be told before it runs. */
export interface SimpleCommand {
  /** The program without its folder; empty where only files or variables are set; undefined when not known. */
  readonly name: string | undefined
  /** The name as it was expanded, with its folder. */
  readonly word: Word
  /** Without what a wrapper or a shell was given to run: that is a command of its own. */
  readonly args: readonly Word[]
  readonly assignments: readonly { readonly name: string; readonly value: Word }[]
  readonly redirections: readonly Redirection[]
  /** How it was reached, outermost first: `bash -c`, `sudo`, `$(…)`, `pipe`. */
  readonly via: readonly string[]
  /** Where it runs; undefined when a `cd` before it could not be followed. */
  readonly cwd: string | undefined
  /** The command as written. */
  readonly fragment: string
  /** Where the outermost command that holds it stands in the text. */
  readonly start: number
  readonly end: number
  /** The commands before the pipe, whose output it may read. */
  readonly inputs?: readonly SimpleCommand[]
  /** Set when it runs something known only at run time: what that is. */
  readonly opaque?: string
}

export interface Redirection {
  readonly operator: string
  /** The file; for a here-document or here-string, its text. */
  readonly target: Word
}

/** Is this a call of the program? `maybe` when its name is known only in part, or not at all. */
export function isCommand(command: SimpleCommand, name: string): 'yes' | 'maybe' | 'no' {
  if (command.name !== undefined) return command.name === name ? 'yes' : 'no'
  return command.word.forms.some((form) => mayMatch(lastPart(form), name)) ? 'maybe' : 'no'
}
