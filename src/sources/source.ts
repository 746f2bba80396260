import type { Layer } from '../config.ts'
import type { Result } from '../errors.ts'
import type { Rank } from '../hook.ts'

/**
 * A format configuration is written in. `parse` is pure: text in, layer out. One bad entry becomes a problem in
 * `layer.problems` and only that entry is left out; a file that is broken as a whole is a failed result. A source
 * never executes what it reads.
 */
export interface Source {
  readonly id: string
  parse(text: string, file: SourceFile): Result<Layer>
  /**
   * Where files of this format lie, for an import that names none. `read` gives the text of a file that says where
   * others are. Missing: such an import has to name its file.
   */
  finds?(where: SourcePlaces, read: (path: string) => string | undefined): readonly Find[]
  /** For editors, where the format is ours to describe. */
  jsonSchema?(): object
  /** The text with these packs switched on, everything else as it was; where the format is ours to write. */
  withPacks?(text: string | undefined, packs: readonly string[]): Result<string>
}

export interface SourceFile {
  readonly path: string
  readonly rank: Rank
  readonly trusted: boolean
  /** Folder relative paths in the file start from. */
  readonly root: string
}

export interface SourcePlaces {
  readonly project: string
  /** The user's own home folder. */
  readonly home: string
}

/** One file, or every file of that name in a folder, one folder down, or anywhere below. */
export interface Find {
  readonly folder: string
  /** `settings.json`; `*.md`: every such file in the folder; `<any>/SKILL.md`: in each of its folders; two stars: at any depth. */
  readonly name: string
  readonly rank: Rank
  /** Folder relative paths in the file start from. */
  readonly root: string
  /** The host that runs these entries itself. */
  readonly exceptHost?: string
}

/** A larger file is refused before it is parsed. */
export const SOURCE_MAX_BYTES = 1024 * 1024
