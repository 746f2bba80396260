import type { ActId } from '../../shell/programs/act-ids.ts'

/** Where a command would run. Nothing is looked up: no file, no variable, no clock of this machine. */
export interface AnalyzeOptions {
  /** The folder it runs in. `/` if missing: then relative names are shown below it. */
  readonly cwd?: string
  /** What `~` is. `/home/user` if missing. */
  readonly home?: string
  /** Texts of files by their absolute paths, for scripts that the command runs. */
  readonly files?: Readonly<Record<string, string>>
}

/** What a command line would do. The same text always gets the same answer. This is also its JSON form. */
export type ShellAnalysis = ReadableCommand | UnreadableCommand

export interface ReadableCommand {
  readonly version: 1
  readonly readable: true
  /** Every command that would run, in the order of the text. */
  readonly commands: readonly AnalyzedCommand[]
}

/** Treat it as one that may do anything. */
export interface UnreadableCommand {
  readonly version: 1
  readonly readable: false
  /** Why: `it takes too many steps to follow`. */
  readonly why: string
  /** If only characters that nobody sees are the reason: the commands of the text as a person sees it. */
  readonly asSeen?: readonly AnalyzedCommand[]
}

/** One program that is started once, as far as that can be told before it runs. */
export interface AnalyzedCommand {
  /** Its place in `commands`. */
  readonly index: number
  /** Its name without a folder; null if that is known only at run time. Empty if only a file or variable is set. */
  readonly program: string | null
  /** As it would run. `‹$X›` stands for what is known only at run time. */
  readonly text: string
  /** As it was written. */
  readonly fragment: string
  /** How it was reached, outermost first: `bash -c`, `sudo`, `pipe`, `$(…)`. */
  readonly via: readonly string[]
  /** The folder it runs in; null if that is known only at run time. */
  readonly cwd: string | null
  /** The machine or container it runs in, if that is another one. */
  readonly remote?: string
  /** The places of the commands whose output it reads. */
  readonly reads?: readonly number[]
  /** It runs something known only at run time: what that is. */
  readonly unknown?: string
  readonly effects: readonly AnalyzedEffect[]
}

/** What a command would do to the world. */
export type AnalyzedEffect = AnalyzedFile | AnalyzedTransfer | AnalyzedRun | AnalyzedAct

interface Certainty {
  /** False if it cannot be ruled out, but is not sure either. */
  readonly certain: boolean
  /** What is not known, if it is not certain. */
  readonly doubt?: string
}

export interface AnalyzedFile extends Certainty {
  /** `inspect`: whether it is there, its size, its rights; never what is in it. */
  readonly kind: 'read' | 'write' | 'delete' | 'inspect'
  /** Absolute where that can be told. Patterns stay; `‹$X›` stands for what is not known. */
  readonly path: string
  /** With everything below it. */
  readonly recursive?: true
}

export interface AnalyzedTransfer extends Certainty {
  readonly kind: 'send' | 'fetch'
  /** Null if it is known only at run time. */
  readonly host: string | null
  /** What is sent, or where it is kept, if that is a file. */
  readonly path?: string
  /** What comes in on standard input is sent; or what is fetched goes to standard output. */
  readonly stream?: true
  /** What is sent, if that is no file: `every environment variable`. */
  readonly carries?: string
}

/** Code runs that does not stand in the command line itself. */
export interface AnalyzedRun extends Certainty {
  readonly kind: 'run'
  readonly from: 'network' | 'file' | 'input' | 'environment' | 'unknown'
  /** The end of a sentence after "this": `runs what example.com sends`. */
  readonly what: string
}

/** Something that is not about one file. */
export interface AnalyzedAct extends Certainty {
  readonly kind: 'act'
  /** Which one: `git/hard-reset`, `kubernetes/delete`. */
  readonly act: ActId
  readonly group:
    | 'privilege'
    | 'git-discard'
    | 'git-history'
    | 'remote-mutate'
    | 'data-destroy'
    | 'system-change'
  /** The end of a sentence after "this": `throws away every change that is not committed`. */
  readonly what: string
}
