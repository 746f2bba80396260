import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tarball } from '../installed.ts'

/**
 * A project keeps the test runner that it has: only `holdpoint/testing/contracts` needs one, and npm must not refuse the
 * whole package because of it. These are the oldest versions with which the contracts run.
 */
const OLDEST = ['vitest@1.0.0', 'fast-check@3.0.0']
const INSTALL_MAX_MS = 300_000

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-test-runners-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(program: string, words: readonly string[]) {
  // Without the variables of the runner that runs this test.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, env, encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}` }
}

it(
  'is installed next to older test runners, and its contracts run in them',
  () => {
    const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
    // Two steps, as a project does it: npm has to fit the package to what is there.
    for (const packages of [OLDEST, [tarball()]]) {
      const { status, text } = run('npm', [...install, ...packages])
      expect(status, text).toBe(0)
    }
    const example = join(folder, 'node_modules', 'holdpoint', 'examples', 'team-policies')
    for (const file of ['pack.test.ts', 'pack.ts', 'deploy.ts', 'push-to-main.ts', 'options.ts'])
      cpSync(join(example, file), join(folder, file))
    const { status, text } = run(join(folder, 'node_modules', '.bin', 'vitest'), ['run'])
    expect(status, text).toBe(0)
    expect(text).toMatch(/Tests .*\d\d passed/)
  },
  INSTALL_MAX_MS,
)
