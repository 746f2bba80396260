import type { SimpleCommand } from '../vocabulary/command.ts'
import { type FileName, pathOf, type ShellEffect, spellPath } from '../vocabulary/effect.ts'

/** Where data comes from, as far as a command line shows it. */
export type DataOrigin =
  | {
      readonly kind: 'network'
      readonly host: string | undefined
      /** The file it was kept in on its way. */
      readonly file?: FileName
    }
  | { readonly kind: 'file'; readonly file: FileName; readonly recursive: boolean }
  | { readonly kind: 'environment' }
  /** Decoded from something that cannot be read here. */
  | { readonly kind: 'decoded' }
  /** All that a database holds. */
  | { readonly kind: 'dump'; readonly what: string }
  /** Something a tool printed that is a secret: "the token of gh". */
  | { readonly kind: 'credential'; readonly what: string }

/** What is known while the commands of one line are followed in their order. */
export interface FlowState {
  readonly home: string
  readonly commands: readonly SimpleCommand[]
  /** Those of them that stand for a group with its redirections. */
  readonly groups: readonly SimpleCommand[]
  readonly effects: ReadonlyMap<SimpleCommand, readonly ShellEffect[]>
  /** What each command followed so far writes to standard output. */
  readonly outputs: Map<SimpleCommand, readonly DataOrigin[]>
  /** What is in the files this line has written. Empty for one whose text is known or that is gone. */
  readonly files: Map<string, readonly DataOrigin[]>
  readonly variables: Map<string, readonly DataOrigin[]>
  readonly channels: Map<string, Channel>
  /** Steps that may still be taken. */
  readonly budget: { left: number }
}

/** What a file descriptor or a redirection leads to. */
export interface Channel {
  /** What is read from it. */
  readonly origins: readonly DataOrigin[]
  /** Set when what is written to it leaves the machine. */
  readonly network?: { readonly host: string | undefined }
  /** The file that is written. */
  readonly file?: FileName
}

export function fileKey(file: FileName, home: string): string {
  return spellPath(pathOf(file, home))
}

/** What reading the file gives: what this line put there, else the file itself. */
export function contentsOf(file: FileName, scene: FlowState, recursive = false): readonly DataOrigin[] {
  if (file.source === '-' || file.source === '') return []
  return scene.files.get(fileKey(file, scene.home)) ?? [{ kind: 'file', file, recursive }]
}

const ORIGINS_MAX = 24

/** Bounded: a line that gathers more is no clearer for naming them all. */
export function together(...lists: readonly (readonly DataOrigin[])[]): readonly DataOrigin[] {
  const all: DataOrigin[] = []
  const seen = new Set<string>()
  for (const origin of lists.flat()) {
    const key =
      origin.kind === 'file' ? `file ${origin.file.cwd}/${origin.file.source}` : JSON.stringify(origin)
    if (seen.has(key) || all.length >= ORIGINS_MAX) continue
    seen.add(key)
    all.push(origin)
  }
  return all
}
