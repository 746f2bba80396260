import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The project a folder belongs to: within its repository the outermost folder upwards with `.holdpoint`, so that a
 * file further down cannot put the rules of the whole aside; outside of one the nearest such folder, else the
 * repository, else the folder itself.
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

/** A repository without any may lie in a folder that has one. */
function above(repository: string): string | undefined {
  let folder = repository
  for (;;) {
    const parent = dirname(folder)
    if (parent === folder) return undefined
    folder = parent
    if (hasConfig(join(folder, '.holdpoint'))) return folder
  }
}

/** Asked for the folder first: most folders on the way up have none, and every question is a system call. */
function hasConfig(folder: string): boolean {
  if (!existsSync(folder)) return false
  return existsSync(join(folder, 'config.yaml')) || existsSync(join(folder, 'config.local.yaml'))
}
