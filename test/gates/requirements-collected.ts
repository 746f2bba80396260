import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/** A test that `npm test` runs. Its name begins with the names of the suites around it. */
export interface CollectedTest {
  readonly file: string
  readonly name: string
}

/**
 * The tests that `vitest run` would run from these files, listed by vitest itself with the configuration of `npm test`.
 * Tables are expanded. Skipped tests and files of other suites are left out. Nothing is run.
 */
export function collectTests(files: readonly string[], root = REPOSITORY): readonly CollectedTest[] {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-collected-'))
  const list = join(folder, 'list.json')
  const vitest = join(REPOSITORY, 'node_modules', 'vitest', 'vitest.mjs')
  const config = join(REPOSITORY, 'vitest.config.ts')
  try {
    execFileSync(
      process.execPath,
      [vitest, 'list', `--json=${list}`, '--root', root, '--config', config, ...files],
      { cwd: root, env: ownEnvironment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const tests = JSON.parse(readFileSync(list, 'utf8')) as readonly CollectedTest[]
    return tests.map(({ file, name }) => ({ file: relative(root, file).split(sep).join('/'), name }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The environment without the variables that the running vitest set for its worker. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
}
