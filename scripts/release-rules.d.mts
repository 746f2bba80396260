/** Types of release-rules.mjs, for its tests. */
export interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly private?: boolean
  readonly author?: string
  readonly repository?: string | { readonly type?: string; readonly url?: string }
  readonly homepage?: string
  readonly bugs?: string | { readonly url?: string }
  readonly license?: string
  readonly description?: string
  readonly files?: readonly string[]
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: unknown
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export interface PackedClient {
  readonly file: string
  readonly name: string
  readonly version: string
  readonly repository?: Manifest['repository']
  readonly hasProgram: boolean
}

export interface Placeholder {
  readonly file: string
  readonly line: number
  readonly name: string
}

export interface Facts {
  readonly manifest: Manifest
  readonly lockVersion?: string | undefined
  readonly sourceVersion?: string | undefined
  readonly distVersion?: string | undefined
  /** A source file was changed after the last build. */
  readonly isDistStale: boolean
  readonly changelog: string
  readonly security?: string | undefined
  readonly placeholders: readonly Placeholder[]
  /** Paths that package.json names and that do not exist. */
  readonly absentFiles: readonly string[]
  /** Not committed; undefined outside of a Git repository. */
  readonly changedFiles?: readonly string[] | undefined
  /** Where the tag of this version points to; undefined if there is no such tag. */
  readonly tagPointsTo?: 'this commit' | 'another commit' | undefined
  /** The tag that started the release. */
  readonly givenTag?: string | undefined
  /** The tarballs about to be published; undefined if they are not checked. */
  readonly clients?: readonly PackedClient[] | undefined
  /** package.json of the package for fleets. */
  readonly fleet?: Manifest | undefined
  /** The findings of publint; undefined if it is not installed. */
  readonly publint?: readonly string[] | undefined
}

export interface ReleaseProblem {
  readonly id: string
  readonly message: string
  readonly fix: string
}

export const FLEET_PACKAGE: string
export const CLIENT_PACKAGES: readonly string[]
export function missingForRelease(facts: Facts): readonly ReleaseProblem[]
export function changelogSection(changelog: string, version: string): string | undefined
export function placeholdersIn(file: string, text: string): readonly Placeholder[]
export function promisedFiles(manifest: Manifest): readonly string[]
