import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The programs that the build creates, as files of `dist/`. */
export type OwnProgram =
  | 'holdpoint'
  | 'hook'
  | 'daemon'
  | 'evaluator'
  | 'journal'
  | 'fleet'
  | 'watchdog'
  | 'module-host'
  | 'scanner'
  | 'checker'
  | 'board-reader'

/** The file of a built program next to the code that runs now. */
export function programFile(program: OwnProgram): string {
  return join(packageRoot(), 'dist', `${program}.cjs`)
}

/** The built files of the board's pages, in one file. */
export function boardAssets(): string {
  return join(packageRoot(), 'dist', 'board.json.br')
}

/**
 * The folder of this package: an installed package, the copy in Holdpoint's home, or a checkout. It is found by its
 * package.json, because the same code is built into files at several depths.
 */
export function packageRoot(): string {
  known ??= findRoot(import.meta.dirname)
  return known
}

let known: string | undefined

function findRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (nameIn(join(folder, 'package.json')) === 'holdpoint') return folder
    if (dirname(folder) === folder) return dirname(start)
  }
}

function nameIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).name
  } catch {
    return undefined
  }
}

/** The file that marks Holdpoint's own copy of its programs. */
export const COPY_MARK = 'runtime.json'

/**
 * An entry of the package `@holdpoint/fleet`; undefined if it is not installed. The copy in Holdpoint's home only loads
 * what was copied with it: Node.js would also look in the folders above it, where any program of this user can write.
 */
export function fleetPackageFile(entry: 'collector' | 'telemetry'): string | undefined {
  const root = packageRoot()
  try {
    const file = createRequire(join(root, 'package.json')).resolve(`@holdpoint/fleet/${entry}`)
    const isCopy = existsSync(join(root, COPY_MARK))
    return isCopy && !file.startsWith(`${join(realpathSync(root), 'node_modules')}/`) ? undefined : file
  } catch {
    return undefined
  }
}
