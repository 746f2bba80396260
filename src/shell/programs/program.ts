import type { VerbProgram } from '../arguments/verbs.ts'
import type { LineFile } from '../expand/line-files.ts'
import type { VariableScope } from '../expand/scope.ts'
import type { Shell } from '../expand/state.ts'
import type { CodeSource, SimpleCommand } from '../vocabulary/command.ts'
import type { ActEffect, FileEffect, NetEffect, ShellEffect } from '../vocabulary/effect.ts'
import type { Input, Launcher } from '../vocabulary/launch.ts'
import type { Form, Word } from '../words/words.ts'
import type { FileUse } from './aspects/file-use.ts'
import type { Interpreter } from './aspects/interpreter.ts'
import type { Filter, LineFilter } from './aspects/output.ts'
import type { ScriptFiles } from './aspects/script-files.ts'
import type { Wrapper } from './aspects/wrapper.ts'

/**
 * Everything that one program does, said in one place. Only what is true of the program: what to think of it is for
 * guards. Every aspect is read by one generic reader, so that most programs need no code of their own.
 */
export interface Program {
  /** What it does to the world, by verbs and options: `docker volume rm`. */
  readonly acts?: VerbProgram
  /** What it does, where a pattern for all its arguments says so. The first that fits counts. */
  readonly lines?: readonly LineRule[]
  /** What it does, where that needs a function: the files it changes, and everything the tables cannot say. */
  readonly does?: (call: ProgramCall) => readonly ShellEffect[]
  /** What of this machine it sends away, and what it fetches, next to what it does. */
  readonly sends?: (command: SimpleCommand) => readonly NetEffect[]

  /** It runs the command behind its own options: `sudo`, `timeout`, `docker exec`. */
  readonly wraps?: Wrapper
  /** What else it starts: code in an option, a command for each line that it reads. */
  readonly starts?: Launcher
  /** It runs code of another language, given on the line, on standard input or in a file. */
  readonly interprets?: Interpreter
  /** It runs what is in files of another kind: tests, recipes, settings. */
  readonly scripts?: ScriptFiles
  /** It is a shell: whoever types into it commands this machine. */
  readonly isShell?: true
  /** Where it takes the code from that it runs, when that is not written on the line. */
  readonly codeFrom?: (command: SimpleCommand) => CodeSource | undefined
  /** It runs its code in the shell that calls it: `eval`, `source`. */
  readonly inThisShell?: true
  /** It fetches what it runs: `deno run https://…`. */
  readonly fetchesCode?: true
  /** The program that it starts as an interpreter: `python manage.py flush`, `java -jar bfg.jar`. */
  readonly startedBy?: (args: readonly Word[]) => StartedProgram | undefined

  /** What it does with the files among its words. A program that says nothing reads them all. */
  readonly files?: FileUse
  /** All of that, by a function, where options and operands are not told apart as everywhere else. */
  readonly namesFiles?: (command: SimpleCommand, home: string) => readonly FileEffect[]
  /** The option by which it goes to another folder before it touches a file: `git -C`, `make -C`. */
  readonly entersFolder?: (args: readonly Word[]) => readonly Word[]
  /** Words that name files whose text is as good as its standard input: `psql -f a.sql`. */
  readonly readsText?: (args: readonly Word[]) => readonly Word[]
  /** The file names that it lists, where it is a search: `grep '\.env$'`, `locate id_rsa`. */
  readonly lists?: (command: SimpleCommand) => readonly Form[]
  /** The folders in which it lists files by what is in them: `grep -rl x src`. Undefined where it does not. */
  readonly listsIn?: (args: readonly Word[]) => readonly Word[] | undefined
  /** The links that it makes. */
  readonly links?: (command: SimpleCommand, home: string) => readonly Link[]

  /** What it prints, where that is known before it runs: `echo`, `basename`. */
  readonly prints?: (args: readonly Word[], scope: VariableScope) => readonly Form[] | undefined
  /** It passes its input on, changed in a way that can be worked out: `base64 -d`, `tr`. */
  readonly filters?: Filter
  /** It passes some of the lines on that it reads: `grep`, `head`. */
  readonly choosesLines?: LineFilter
  /** Passwords, tokens and keys that it prints. */
  readonly credentials?: readonly CredentialRule[]
  /** It prints variables it was not itself given: all of them, or some. */
  readonly showsEnvironment?: (command: SimpleCommand) => 'all' | 'some' | 'none'
  /** Its output is its input, whole or in part, so that a secret that comes in goes out. */
  readonly passesOn?: true
  /** What it prints was not meant to be read on the way in: `base64 -d`. */
  readonly decodes?: (words: readonly string[]) => boolean
  /** It prints all that a database holds. */
  readonly dumps?: true

  /** What it leaves in files of the line, for when the same line runs them. */
  readonly leaves?: (args: readonly Word[], shell: Shell, input: Given) => void
  /** What it leaves in files, as far as where data comes from is concerned. */
  readonly keeps?: Keeps
  /** It puts folders with everything in them into one file or stream. */
  readonly packs?: Packs
  /** It fills folders with what an archive, a backup or another folder holds. */
  readonly unpacks?: true
  /** What it prints stood in a file before, or less of it, with these arguments. */
  readonly copiesOut?: (args: readonly Word[]) => boolean
  /** It makes a pipe with a name. */
  readonly makesPipe?: true
  /** It only fetches: what it prints into a file comes from elsewhere. */
  readonly fetches?: true

  /** A builtin: what it changes in the shell itself. */
  readonly changesShell?: Builtin
  /** A builtin that sets variables: `export`, `declare`. */
  readonly declares?: true
}

export interface ProgramCall {
  /** One of its names. */
  readonly name: string
  readonly command: SimpleCommand
  readonly home: string
  /** What it finds on standard input. */
  readonly input: () => GivenInput
  /** What it finds in the file, where that is a command: `-f <(echo …)`. */
  readonly fileInput: (word: Word) => GivenInput
}

/** What a command finds on standard input. */
export type GivenInput =
  | { readonly kind: 'text'; readonly forms: readonly Form[] }
  /** What a file holds, or what another command prints: not known. */
  | { readonly kind: 'file' | 'pipe' }
  | { readonly kind: 'none' }

/** Programs by their names without a folder: `{ tar: …, 'bsdtar gtar': … }`. */
export type ProgramTable = Readonly<Record<string, Program>>

export function program(names: string, what: Program): ProgramTable {
  return { [names]: what }
}

/** Programs of which one thing is known each. */
export function each<Value>(
  what: (value: Value) => Program,
  table: Readonly<Record<string, Value>>,
): ProgramTable {
  return Object.fromEntries(Object.entries(table).map(([names, value]) => [names, what(value)]))
}

/** A program that does this where the pattern fits all its arguments; the second pattern says where it does not. */
export function saying(does: ActEffect): (when: RegExp | readonly [RegExp, RegExp]) => Program {
  return (when) => ({ lines: [when instanceof RegExp ? [does, when] : [does, ...when]] })
}

/** `when` and `unless` are tried on all arguments, with spaces between them. */
export type LineRule = readonly [does: ActEffect, when: RegExp, unless?: RegExp]

/** `verbs` is tried on the words that are no options, `words` on all of them with spaces around. */
export type CredentialRule = readonly [what: string, verbs: RegExp, words?: RegExp]

export interface StartedProgram {
  readonly name: string
  readonly args: readonly Word[]
}

/** What a command that writes files is given. */
export interface Given extends Input {
  /** What is on standard input, as the content of a file. */
  readonly content: () => LineFile
}

/**
 * `copies`: the last operand, or a file of the same name in it, is what the others were. `packs`: the archive holds all that
 * was read. `compresses`: a file with another ending holds what the first one did.
 */
export type Keeps =
  | { readonly kind: 'copies'; readonly moves?: true }
  | { readonly kind: 'removes' | 'input' | 'nothing' }
  | { readonly kind: 'packs'; readonly archive: (args: readonly Word[]) => Word | undefined }
  | { readonly kind: 'compresses'; readonly suffix?: string }

export interface Packs {
  /** Undefined: always. */
  readonly when?: (command: SimpleCommand) => boolean
  /** Everything in the folder it runs in. */
  readonly folder?: true
  /** It always takes the names of files from its input. */
  readonly takesNames?: true
}

/** A link that a line makes. */
export interface Link {
  readonly path: string
  readonly target: string
}

export type Builtin = (args: readonly Word[], shell: Shell, given: BuiltinCall) => void

export interface BuiltinCall {
  /** The text on standard input, where it is known. */
  readonly input: readonly Form[] | undefined
  /** The variables set before it: `IFS=: read x`, `CDPATH=/ cd etc`. */
  readonly assignments: SimpleCommand['assignments']
}

/**
 * The cases of a program, in a file beside it: a command line, and what the program does there, as `explain --effects`
 * says it; `starts …` for what it starts. Judged in /srv/project with the home folder /home/dev.
 */
export type ProgramCases = readonly (readonly [command: string, ...does: string[]])[]
