import { lastPart, mayMatch } from '../words/patterns.ts'
import { spellWord } from '../words/spell.ts'
import type { Form, Word } from '../words/words.ts'

/** One program started once, as far as that can be told before it runs. */
export interface SimpleCommand {
  /** The program without its folder; empty where only files or variables are set; undefined when not known. */
  readonly name: string | undefined
  /** The name as it was expanded, with its folder. */
  readonly word: Word
  /** Without what a wrapper or a shell was given to run: that is a command of its own. */
  readonly args: readonly Word[]
  readonly assignments: readonly { readonly name: string; readonly value: Word }[]
  /** What this line put into its environment before: `export X=1`. Those written in front of it are not among them. */
  readonly environment: readonly { readonly name: string; readonly value: Word }[]
  readonly redirections: readonly Redirection[]
  /** How it was reached, outermost first: `bash -c`, `sudo`, `$(…)`, `pipe`. */
  readonly via: readonly string[]
  /** Where it runs; undefined when a `cd` before it could not be followed. */
  readonly cwd: string | undefined
  /** What that folder may be, where it is known only in part: `cd .cla*`. */
  readonly mayBeIn: readonly Form[] | undefined
  /** The command as written. */
  readonly fragment: string
  /** Where the outermost command that holds it stands in the text. */
  readonly start: number
  readonly end: number
  /** The commands before the pipe, whose output it may read. */
  readonly inputs: readonly SimpleCommand[] | undefined
  /** The text on standard input, where it is known: a here-document, `echo … |`. */
  readonly inputText: readonly Form[] | undefined
  /** Set when it runs something known only at run time: what that is. */
  readonly opaque: string | undefined
  /** Set when it runs on another machine or in a container, whose paths its words mean: `ssh host`, `docker exec web`. */
  readonly remote: string | undefined
  /** Code for another language that it was given: `python3 -c '…'`, or on standard input. */
  readonly inline: InlineCode | undefined
}

export interface InlineCode {
  readonly language: Language
  /** Every text the code may be. */
  readonly code: readonly Form[]
}

export type Language =
  | 'python'
  | 'javascript'
  | 'perl'
  | 'ruby'
  | 'php'
  | 'lua'
  | 'r'
  | 'applescript'
  | 'powershell'
  | 'awk'
  | 'sed'
  /** One we know no more of than that it has quotations. */
  | 'other'

export interface Redirection {
  readonly operator: string
  /** The file; for a here-document or here-string, its text. */
  readonly target: Word
  /** The file descriptor, where one is written. */
  readonly descriptor?: number
}

/** Where a command takes the code from that it runs, when that is not written on the line. */
export type CodeSource =
  | { readonly from: 'input' }
  /** A file that is run. */
  | { readonly from: 'file'; readonly word: Word }
  /** Text put together at run time: `eval "$(…)"`, `bash -c "$CODE"`, `$(…)` as a command. */
  | { readonly from: 'text' }

/** Is this a call of the program? `maybe` when its name is known only in part, or not at all. */
export function isCommand(command: SimpleCommand, name: string): 'yes' | 'maybe' | 'no' {
  if (command.name !== undefined) return command.name === name ? 'yes' : 'no'
  return command.word.forms.some((form) => mayMatch(lastPart(form), name)) ? 'maybe' : 'no'
}

/** A command as it would run, on one line, for people: patterns stay, `‹$X›` is what is not known. */
export function spellCommand(command: SimpleCommand): string {
  return [spellWord(command.word), ...command.args.map(spellWord)].join(' ')
}
