import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The programs that the build creates, as files of `dist/`. */
export type OwnProgram =
  | 'holdpoint'
  | 'hook'
  | 'daemon'
  | 'evaluator'
  | 'journal'
  | 'watchdog'
  | 'module-host'
  | 'scanner'

/** The file of a built program next to the code that runs now. */
export function programFile(program: OwnProgram): string {
  return join(packageRoot(), 'dist', `${program}.cjs`)
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
