import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The project a folder belongs to: the nearest folder upwards with `.holdpoint`, else the nearest repository, else
 * the folder itself.
 */
export function findProject(cwd: string): string {
  let repository: string | undefined
  let folder = cwd
  for (;;) {
    if (hasConfig(join(folder, '.holdpoint'))) return folder
    repository ??= existsSync(join(folder, '.git')) ? folder : undefined
    const parent = dirname(folder)
    if (parent === folder) break
    folder = parent
  }
  return repository ?? cwd
}

/** Asked for the folder first: most folders on the way up have none, and every question is a system call. */
function hasConfig(folder: string): boolean {
  if (!existsSync(folder)) return false
  return existsSync(join(folder, 'config.yaml')) || existsSync(join(folder, 'config.local.yaml'))
}
