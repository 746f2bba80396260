/**
 * What a guard can ask about the machine. Known values are sync; files are async. Nothing here writes or runs a
 * program, except `recentCommits` (git, fixed arguments). Tests use fixed values; the runtime reads the real ones.
 */
export interface Facts {
  readonly cwd: string
  readonly home: string
  /** The project's root folder; the working directory if no project was found. */
  readonly project: string
  readonly platform: string
  /** The caller's environment, as data. Do not trust it: a repository can set it. */
  readonly env: Readonly<Record<string, string | undefined>>
  now(): Date
  /** The checked-out branch, or undefined when detached or not a repository. */
  branch(): string | undefined
  /** The file's text, or undefined when it is missing, unreadable or larger than `maxBytes` (1 MiB). */
  readText(path: string, maxBytes?: number): Promise<string | undefined>
  /**
   * The text of a small file (256 KiB), for what must be known while a command is read: the settings of git. Undefined as
   * for `readText`. Missing: nothing is known of any file.
   */
  readonly readNow?: ((path: string) => string | undefined) | undefined
  list(path: string): Promise<readonly string[]>
  /** The kind of file at the path, after following links. Undefined: nothing is there. */
  stat(path: string): Promise<FileInfo | undefined>
  /** The path with every symbolic link resolved as far as the path exists. Sync, because path guards need it. */
  realpath(path: string): string
  recentCommits(count: number): Promise<readonly string[]>
  /**
   * Differs whenever the file or folder at the path differs. Undefined: it has changed too recently to tell. Missing:
   * nobody can tell.
   */
  stamp?(path: string): string | undefined
  /** Starts a limit of time: whether it has passed. Missing: use `now`. */
  timer?(limitMs: number): () => boolean
  /** Files that this session wrote, with their content: a command that runs one is checked with its code. */
  readonly written?: ReadonlyMap<string, string>
}

export interface FileInfo {
  /** `closed`: there may be a file, but it cannot be inspected. */
  readonly kind: 'file' | 'folder' | 'other' | 'closed'
  readonly sizeBytes: number
  /** As the file system reports it. The owner of the file can set it. */
  readonly modifiedMs: number
}

/** Starts limits of time, also with facts that have only a clock. */
export function timerOf(facts: Facts): NonNullable<Facts['timer']> {
  const { timer, now } = facts
  if (timer !== undefined) return timer
  return (limitMs) => {
    const endMs = now().getTime() + limitMs
    return () => now().getTime() > endMs
  }
}
