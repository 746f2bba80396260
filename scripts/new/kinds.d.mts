/** What a skeleton needs to know of the repository. */
export interface RepositoryFiles {
  /** The text of a file; undefined where there is none. */
  readonly read: (path: string) => string | undefined
  readonly list: (path: string) => readonly string[]
}

export interface Skeleton {
  /** Texts by their paths. */
  readonly files?: Readonly<Record<string, string>>
  /** What to do next, as lines. */
  readonly next?: readonly string[]
  readonly problem?: string
}

type NewSkeleton = (words: readonly string[], repository: RepositoryFiles) => Skeleton

export const KINDS: Readonly<
  Record<'program' | 'guard' | 'pack' | 'host' | 'handler' | 'source' | 'command', NewSkeleton>
>
