import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The project of a folder. Within a repository, it is the outermost parent folder with `.holdpoint`, so that a file
 * further down cannot replace the rules of the whole repository. Outside of a repository, it is the nearest such folder.
 * Without any, it is the repository, or else the folder itself.
 */
export function findProject(cwd: string): string {
  let nearest: string | undefined
  let outermost: string | undefined
  let folder = cwd
  for (;;) {
    if (hasConfig(join(folder, '.holdpoint'))) {
      nearest ??= folder
      outermost = folder
    }
    if (existsSync(join(folder, '.git'))) return outermost ?? above(folder) ?? folder
    const parent = dirname(folder)
    if (parent === folder) return nearest ?? cwd
    folder = parent
  }
}

/** A repository without a configuration may be in a folder that has one. */
function above(repository: string): string | undefined {
  let folder = repository
  for (;;) {
    const parent = dirname(folder)
    if (parent === folder) return undefined
    folder = parent
    if (hasConfig(join(folder, '.holdpoint'))) return folder
  }
}

/** Checks for the folder first, because most parent folders have none, and every check is a system call. */
function hasConfig(folder: string): boolean {
  if (!existsSync(folder)) return false
  return existsSync(join(folder, 'config.yaml')) || existsSync(join(folder, 'config.local.yaml'))
}
