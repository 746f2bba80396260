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
    if (
      existsSync(join(folder, '.holdpoint', 'config.yaml')) ||
      existsSync(join(folder, '.holdpoint', 'config.local.yaml'))
    ) {
      return folder
    }
    repository ??= existsSync(join(folder, '.git')) ? folder : undefined
    const parent = dirname(folder)
    if (parent === folder) break
    folder = parent
  }
  return repository ?? cwd
}
