import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The built program that runs modules: beside this code in a bundle, above it in the library, in `dist` beside the
 * sources. Undefined in half an installation.
 */
export function hostProgram(): string | undefined {
  let folder = import.meta.dirname
  for (let level = 0; level < LEVELS_MAX; level += 1) {
    const found = [join(folder, NAME), join(folder, 'dist', NAME)].find((path) => existsSync(path))
    if (found !== undefined) return found
    folder = dirname(folder)
  }
  return undefined
}

const NAME = 'module-host.cjs'
const LEVELS_MAX = 5
