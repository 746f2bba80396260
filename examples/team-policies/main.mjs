// Uses the package as a person would: installs it next to a configuration that extends it, and tries calls.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const here = import.meta.dirname
const program = join(here, '..', '..', 'dist', 'holdpoint.cjs')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-team-')))
const [home, project] = ['home', 'project'].map((name) => join(folder, name))

function holdpoint(...args) {
  const env = { PATH: process.env.PATH, HOME: folder, HOLDPOINT_HOME: home, NO_COLOR: '1', COLUMNS: '200' }
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: project,
    env,
    encoding: 'utf8',
  })
  return (stdout + stderr).replaceAll(`${folder}/`, '')
}

try {
  mkdirSync(join(project, '.git'), { recursive: true })
  cpSync(here, join(home, 'node_modules', '@acme', 'policies'), { recursive: true })
  // A project has the same line in .holdpoint/config.yaml, and a person runs `holdpoint trust` there.
  writeFileSync(join(home, 'config.yaml'), 'version: 1\nextends: ["@acme/policies"]\n')
  console.log(holdpoint('test').trim())
  for (const to of ['production', 'test']) {
    const [first] = holdpoint('test', '--tool', 'mcp__deploy__start', '--args', JSON.stringify({ to })).split(
      '\n',
    )
    console.log(`deploy to ${to}: ${first}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
