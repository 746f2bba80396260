// Builds dist/ unless it is there and up to date: `node scripts/built.mjs && …`, for everything that needs the build
// and does not test it. `npm run build` always builds.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt } from './build-id.mjs'

const root = join(import.meta.dirname, '..')
if (!isBuilt(root)) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], {
    // Standard output belongs to what comes next.
    stdio: ['ignore', process.stderr, 'inherit'],
  })
  process.exitCode = status ?? 1
}
