/**
 * What a guard may ask of the world. Known values are sync; files are async; nothing here writes or runs a
 * program, except `recentCommits` (git, fixed arguments). Tests freeze it, the runtime reads the real thing.
 */
export interface Facts {
  readonly cwd: string
  readonly home: string
  /** The project's root folder; the working directory when no project was found. */
  readonly project: string
  readonly platform: string
  /** The caller's environment, as data. Hostile: a repository can set it. */
  readonly env: Readonly<Record<string, string | undefined>>
  now(): Date
  /** The checked-out branch, or undefined when detached or not a repository. */
  branch(): string | undefined
  /** The file's text, or undefined when it is missing, unreadable or larger than `maxBytes` (1 MiB). */
  readText(path: string, maxBytes?: number): Promise<string | undefined>
  list(path: string): Promise<readonly string[]>
  /** What lies at the path, links followed. Undefined: nothing. */
  stat(path: string): Promise<FileInfo | undefined>
  /** The path with every symbolic link resolved as far as the path exists. Sync: path guards need it to judge. */
  realpath(path: string): string
  recentCommits(count: number): Promise<readonly string[]>
}

export interface FileInfo {
  /** `closed`: something may be there, and it may not be looked at. */
  readonly kind: 'file' | 'folder' | 'other' | 'closed'
  readonly sizeBytes: number
  /** As the file system says; whoever owns the file can set it. */
  readonly modifiedMs: number
}
