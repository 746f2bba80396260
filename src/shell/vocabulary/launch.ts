import type { FilePlace } from '../expand/line-files.ts'
import type { Folder } from '../words/folders.ts'
import { exactText, type Form, isWhollyUnknown, unknownWord, type Word } from '../words/words.ts'
import type { InlineCode } from './command.ts'

/** What a program starts in turn, as far as its words tell: the command behind `sudo`, the code of `bash -c`. */
export interface Launch {
  /** How many arguments are the program's own; what follows is a command of its own. */
  readonly own: number
  readonly runs: readonly StartedCommand[]
  /** Set when it runs something known only at run time: what that is. */
  readonly opaque?: string
  /** Code for another language. */
  readonly inline?: InlineCode
}

/** One command or one piece of shell code that is started. */
export interface StartedCommand {
  readonly via: string
  /** The command as words … */
  readonly words?: readonly Word[]
  /** … or every text the code may be. */
  readonly code?: readonly Form[]
  /** `$1`, `$2`, … of the code, where they are given. */
  readonly positional?: readonly Word[] | undefined
  /** `$0` of the code, where it is given. */
  readonly zero?: Word | undefined
  /**
   * Which shell reads it. `same`: this one, so that its `cd` and assignments count. `fork`: a copy of this one.
   * `child`: a new one, which sees only what was exported. A copy where nothing is said.
   */
  readonly shell?: 'same' | 'fork' | 'child'
  /** Set when it runs somewhere else; `cwd: undefined` inside means it is not known where. */
  readonly moved?: Folder
  /** Set when it runs on another machine or in a container: paths are those of that place. */
  readonly remote?: string
  /** Standard input is not handed on: it was read already, or is closed. */
  readonly takesInput?: boolean
  /** What it finds on standard input is something known only at run time: the files of an archive. */
  readonly fed?: boolean
  /** The file whose code it is: one that runs itself is read once. */
  readonly script?: string
  /** A setting that may be code. What cannot be read as code is none, and what is not known is no alarm. */
  readonly setting?: boolean
  /** `sh -a`: every variable that it sets reaches the programs it starts. */
  readonly exportsAll?: boolean
  /** It runs when the shell ends. */
  readonly atEnd?: boolean
  /** `env -i`: nothing of the environment is passed on. */
  readonly bare?: boolean
}

export interface LaunchCall {
  readonly name: string
  readonly word: Word
  readonly args: readonly Word[]
  readonly assignments: readonly { readonly name: string; readonly value: Word }[]
  /** What was exported before. */
  readonly environment: readonly { readonly name: string; readonly value: Word }[]
  readonly place: FilePlace & Folder
  readonly input: Input
}

/** What a command may read from standard input. */
export interface Input {
  /** The text, where it is known. */
  readonly forms: readonly Form[] | undefined
  /** Piped in from a command whose output is not known. */
  readonly piped: boolean
}

/** Undefined when the call starts nothing. */
export type Launcher = (call: LaunchCall) => Launch | undefined

export const RUN_TIME_CODE = 'the code it runs is known only at run time'

/** Code; `forms` is undefined when it is known only at run time. */
export function codeRun(
  via: string,
  forms: readonly Form[] | undefined,
  more: Partial<StartedCommand> = {},
): StartedCommand {
  const known = forms?.some((form) => !isWhollyUnknown(form)) === true
  return { via, code: known ? (forms ?? []) : unknownWord(via).forms, ...more }
}

/** A launch of one piece of code. */
export function launchCode(own: number, run: StartedCommand): Launch {
  return { own, runs: [run] }
}

export function isOpaqueRun(run: StartedCommand): boolean {
  return run.setting !== true && run.code !== undefined && run.code.every(isWhollyUnknown)
}

export function writtenHere(file: Word): string {
  return `it runs ${exactText(file) ?? file.source}, which this command writes`
}
