import {
  chmodSync,
  chownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writeWhole } from './files.ts'
import { missingFolders } from './installs.ts'

/**
 * Files as they were before a command changed them, so that a command that fails or is interrupted halfway takes all of
 * its changes back. It is kept in memory: a killed command takes nothing back.
 */
export interface Rollback {
  /** Notes how these paths are now, before they are changed. A folder that is there only loses what is new in it. */
  note(paths: readonly string[]): void
  /** These files are not written again: whatever changes them from now on is somebody else, and that stays. */
  settle(paths: readonly string[]): void
  /** Everything is as it was, but for what somebody else has changed since, and for what cannot be written: those paths. */
  takeBack(): readonly string[]
}

type State =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly content: Buffer; readonly stats: Stats }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder'; readonly names: ReadonlySet<string> }

export function createRollback(): Rollback {
  const before = new Map<string, State>()
  const settled = new Map<string, State>()
  const madeFolders = new Set<string>()

  function note(path: string): void {
    if (before.has(path)) return
    const state = stateOf(path)
    before.set(path, state)
    for (const folder of state.kind === 'absent' ? missingFolders(path) : []) madeFolders.add(folder)
    const target = state.kind === 'link' ? targetOf(path) : undefined
    if (target !== undefined) note(target)
  }

  function restore(path: string, was: State): boolean {
    const now = stateOf(path)
    const written = settled.get(path)
    if (isSame(now, was)) return true
    if (written !== undefined && !isSame(now, written)) return false
    if (was.kind === 'folder') {
      const added = now.kind === 'folder' ? [...now.names].filter((name) => !was.names.has(name)) : []
      for (const name of added) rmSync(join(path, name), { recursive: true, force: true })
      return now.kind === 'folder'
    }
    if (was.kind === 'file') writeBack(path, was)
    else {
      rmSync(path, { recursive: true, force: true })
      if (was.kind === 'link') symlinkSync(was.target, path)
    }
    return true
  }

  return {
    note: (paths) => paths.forEach(note),
    settle(paths) {
      for (const path of paths) settled.set(path, stateOf(path))
    },
    takeBack() {
      const left = [...before].toReversed().filter(([path, was]) => {
        try {
          return !restore(path, was)
        } catch {
          return true
        }
      })
      for (const folder of [...madeFolders].sort().toReversed()) removeEmpty(folder)
      return left.map(([path]) => path)
    },
  }
}

function stateOf(path: string): State {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return { kind: 'absent' }
  if (stats.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) }
  if (stats.isDirectory()) return { kind: 'folder', names: new Set(readdirSync(path)) }
  return { kind: 'file', content: readFileSync(path), stats }
}

/** The file at the end of a link, which is what gets changed; undefined if the link leads to nothing. */
function targetOf(path: string): string | undefined {
  try {
    const folder = realpathSync(dirname(path))
    const target = realpathSync(path)
    return target === join(folder, basename(path)) || lstatSync(target).isDirectory() ? undefined : target
  } catch {
    return undefined
  }
}

function isSame(a: State, b: State): boolean {
  if (a.kind === 'file' && b.kind === 'file')
    return a.content.equals(b.content) && a.stats.mode === b.stats.mode
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target
  if (a.kind === 'folder' && b.kind === 'folder')
    return a.names.size === b.names.size && [...a.names].every((name) => b.names.has(name))
  return a.kind === 'absent' && b.kind === 'absent'
}

function writeBack(path: string, { content, stats }: Extract<State, { kind: 'file' }>): void {
  writeWhole(path, content, stats.mode & 0o777)
  chmodSync(path, stats.mode & 0o7777)
  const now = lstatSync(path)
  if (now.uid !== stats.uid || now.gid !== stats.gid) chownSync(path, stats.uid, stats.gid)
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It was never made, or somebody else uses it.
  }
}
