import type { InstallPlaces } from './host.ts'
import type { JsonObject } from './json.ts'

/**
 * The transcripts that an agent program leaves on disk: where they are, in which format, and how their lines become the
 * tool calls of a session. A reader is pure: other code finds the files and splits them into lines, so a new host needs
 * only these facts. Transcripts are untrusted text: a reader assumes nothing and never throws.
 */
export interface TranscriptReader {
  /** The host whose hook payloads the calls become. */
  readonly host: string
  /** `json`: the whole file is one object. A database has a row for a line. */
  readonly format: 'jsonl' | 'json' | TranscriptDatabase
  readonly versions: TranscriptVersions
  /** The absolute folders of transcripts. Files are searched only below them. */
  roots(where: InstallPlaces): readonly string[]
  /**
   * The session that a file below a root belongs to, by its path with `/` between its parts. Undefined: the file is not
   * a transcript. Files of one session are read together.
   */
  sessionAt(path: string): string | undefined
  /** The session that the first line of a file names, if the path does not name it. */
  sessionIn?(first: JsonObject): string | undefined
  /** A file in the same folder whose object is read before the lines of a file, for what these do not say. */
  preface?(path: string): string | undefined
  /** A line that contains none of these texts is not parsed, because most of a transcript is prose. */
  readonly hints: readonly string[]
  /** Tools that the program runs without asking its hooks, by their name in a payload. */
  readonly unreported?: readonly string[]
  /** What the program does not send to its hooks, so that a call and its decision must be matched by other facts. */
  readonly untold?: readonly ('call id' | 'agent')[]
  /**
   * Folders with the files of a session's sub-agents, by the absolute path of its own file. Missing: there
   * are none.
   */
  subagentFolders?(path: string, session: string): readonly string[]
  /** Begins to read one file, by its path below a root or a longer one. The function gets each line in order. */
  open(path: string): (line: JsonObject) => readonly TranscriptItem[]
}

/** A file of SQLite with several sessions. */
export interface TranscriptDatabase {
  /** A query for all sessions: `session`, `bytes` and `changed`, in milliseconds. */
  readonly sessions: string
  /** A query for the lines of one session, in order, by its name. Compressed texts have a name that ends in `_zstd`. */
  readonly lines: string
}

/** A host without transcripts that can be read. */
export interface NoTranscript {
  readonly host: string
  /** What it leaves instead, or that it leaves nothing; a sentence. */
  readonly why: string
}

/** The program versions whose transcripts were recorded and read back. Others are read as well, and reported. */
export interface TranscriptVersions {
  /** The oldest version whose format is known. */
  readonly since: string
  /** The version of the recorded fixture. */
  readonly recorded: string
  /** What transcripts name instead of the program's version: that of their format, or nothing. */
  readonly named?: { readonly format: string } | 'nothing'
}

export type TranscriptItem =
  | { readonly kind: 'version'; readonly version: string }
  | { readonly kind: 'call'; readonly call: TranscriptCall }
  | ({ readonly kind: 'outcome' } & CallOutcome)
  /** A line that should be a call, and cannot be read as one. */
  | { readonly kind: 'unreadable'; readonly why: string }

export interface TranscriptCall {
  readonly useId: string
  /** ISO time. */
  readonly at: string
  readonly session: string
  readonly agentId?: string
  readonly agentType?: string
  readonly cwd: string
  /** What the host's hook would have been given before the call. */
  readonly payload: JsonObject
}

export interface CallOutcome {
  readonly useId: string
  /**
   * `refused`: it did not run, because a hook, a rule of the host or a person stopped it. `unclear`: it ended with an
   * error, and the transcript does not say whether it ran before that.
   */
  readonly outcome: 'ran' | 'failed' | 'refused' | 'unclear'
  /** Who refused it, if the transcript says so. */
  readonly by?: 'hook' | 'person' | 'host'
  /** The first words of an error. */
  readonly note?: string
}

/** Longer than any note that is shown. */
const NOTE_MAX = 200

/** The first line of a text, short. */
export function firstWords(text: string): string {
  return text.slice(0, NOTE_MAX).split('\n', 1)[0]?.trim() ?? ''
}
