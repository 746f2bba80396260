import type { Result } from '../../core/errors.ts'
import type { Pack } from '../../core/guard.ts'
import type { Rank } from '../../core/hook.ts'
import type { Layer } from '../../core/layer.ts'

/**
 * A configuration format. `parse` is pure: text in, layer out. A wrong entry becomes a problem in `layer.problems`, and
 * only that entry is left out. A file that is broken as a whole is a failed result. A source never executes what it
 * reads.
 */
export interface Source {
  readonly id: string
  parse(text: string, file: SourceFile): Result<Layer>
  /**
   * The usual locations of files of this format, for an import that names none. `read` gives the text of a file that
   * names others. Missing: such an import must name its file.
   */
  finds?(where: SourcePlaces, read: (path: string) => string | undefined): readonly Find[]
  /** For editors, if the format is our own; with the names of these packs. */
  jsonSchema?(packs: readonly Pack[]): object
  /** The text with these changes and everything else unchanged, if the format is our own. */
  withPacks?(text: string | undefined, changes: PackChanges): Result<string>
}

/** Changes of the packs in a configuration file. */
export interface PackChanges {
  /** Switched on, even if the file switches them off. */
  readonly on?: readonly string[]
  /** Switched on unless the file names them. */
  readonly add?: readonly string[]
  readonly off?: readonly string[]
  /** Options to set, by pack. */
  readonly options?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface SourceFile {
  readonly path: string
  readonly rank: Rank
  readonly trusted: boolean
  /** The folder that relative paths start from. */
  readonly root: string
}

export interface SourcePlaces {
  readonly project: string
  /** The user's own home folder. */
  readonly home: string
}

/** One file, or every file with that name in a folder, in its subfolders, or at any depth. */
export interface Find {
  readonly folder: string
  /** `settings.json`; `*.md`: every such file in the folder; `<any>/SKILL.md`: in each of its folders; two stars: at any depth. */
  readonly name: string
  readonly rank: Rank
  /** The folder that relative paths start from. */
  readonly root: string
  /** The host that runs these entries itself. */
  readonly exceptHost?: string
}

/** A larger file is rejected before it is parsed. */
export const SOURCE_MAX_BYTES = 1024 * 1024
